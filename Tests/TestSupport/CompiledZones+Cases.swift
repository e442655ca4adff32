// The rules of the zones that the tests name, cut down to the years in which a case plays and exact
// there; where a rule still holds it goes on for ever. Before its first rule a zone shows what zic
// makes of it, and nothing should be asked there. Taken from tzdata 2025b, and 2026f for what
// changed in 2026.

extension CompiledZones {
    /// The zones of the calendar cases, compiled once for the process.
    package static let cases = Result { try CompiledZones(rules: caseRules) }

    package static let caseRules = """
        # North America
        Rule US 1967 2006 - Oct lastSun 2:00 0 S
        Rule US 1987 2006 - Apr Sun>=1 2:00 1:00 D
        Rule US 2007 max - Mar Sun>=8 2:00 1:00 D
        Rule US 2007 max - Nov Sun>=1 2:00 0 S
        Zone America/New_York -5:00 US E%sT
        Zone America/Chicago -6:00 US C%sT
        Zone America/Edmonton -7:00 US M%sT
        # British Columbia stays at -07:00 after the summer of 2026.
        Zone America/Vancouver -8:00 US P%sT 2026 Nov 1 2:00
                               -7:00 - MST
        # Cuba changes at midnight: the day starts at 01:00, or has 00:00-01:00 twice.
        Rule Cuba 2012 max - Nov Sun>=1 0:00s 0 S
        Rule Cuba 2013 max - Mar Sun>=8 0:00s 1:00 D
        Zone America/Havana -5:00 Cuba C%sT

        # South America: the overlap at midnight goes back into the day before.
        Rule Brazil 2008 2011 - Feb Sun>=15 0:00 0 -
        Rule Brazil 2008 2017 - Oct Sun>=15 0:00 1:00 -
        Rule Brazil 2012 2015 - Feb Sun>=22 0:00 0 -
        Rule Brazil 2016 2019 - Feb Sun>=15 0:00 0 -
        Rule Brazil 2018 only - Nov Sun>=1 0:00 1:00 -
        Zone America/Sao_Paulo -3:00 Brazil -03/-02

        # Europe changes at 01:00 UTC everywhere.
        Rule EU 1979 1995 - Sep lastSun 1:00u 0 -
        Rule EU 1981 max - Mar lastSun 1:00u 1:00 S
        Rule EU 1996 max - Oct lastSun 1:00u 0 -
        Zone Europe/Berlin 1:00 EU CE%sT
        Zone Europe/Paris 1:00 EU CE%sT
        Zone Europe/Rome 1:00 EU CE%sT
        Zone Europe/Warsaw 1:00 EU CE%sT
        Zone Europe/London 0:00 EU GMT/BST
        Zone Atlantic/Azores -1:00 EU -01/+00
        # The gap is the last hour of a Saturday: 23:00-24:00.
        Zone America/Nuuk -2:00 EU -02/-01
        Zone Europe/Moscow 4:00 - MSK 2014 Oct 26 2:00s
                           3:00 - MSK
        # Winter is the exception: daylight time lies west of standard time.
        Rule Eire 1996 max - Mar lastSun 1:00u 0 -
        Rule Eire 1996 max - Oct lastSun 1:00u -1:00 -
        Zone Europe/Dublin 1:00 Eire IST/GMT

        # Africa
        Rule Egypt 2014 only - Sep lastThu 24:00 0 -
        Rule Egypt 2023 max - Apr lastFri 0:00 1:00 S
        Rule Egypt 2023 max - Oct lastThu 24:00 0 -
        Zone Africa/Cairo 2:00 Egypt EE%sT
        # An hour back for Ramadan; from September 2026 on UTC for good.
        Rule Morocco 2024 only - Mar 10 3:00 -1:00 -
        Rule Morocco 2024 only - Apr 14 2:00 0 -
        Rule Morocco 2025 only - Feb 23 3:00 -1:00 -
        Rule Morocco 2025 only - Apr 6 2:00 0 -
        Rule Morocco 2026 only - Feb 15 3:00 -1:00 -
        Rule Morocco 2026 only - Mar 22 2:00 0 -
        Zone Africa/Casablanca 1:00 Morocco +01/+00 2026 Sep 20 2:00
                               0:00 - +00

        # Asia
        Zone Asia/Kolkata 5:30 - IST
        Zone Asia/Kathmandu 5:45 - +0545

        # Australia and the Pacific
        Rule AS 2008 max - Apr Sun>=1 2:00s 0 S
        Rule AS 2008 max - Oct Sun>=1 2:00s 1:00 D
        Zone Australia/Adelaide 9:30 AS AC%sT
        Rule LH 2008 max - Apr Sun>=1 2:00 0 -
        Rule LH 2008 max - Oct Sun>=1 2:00 0:30 -
        Zone Australia/Lord_Howe 10:30 LH +1030/+11
        Rule Chatham 2007 max - Sep lastSun 2:45s 1:00 -
        Rule Chatham 2008 max - Apr Sun>=1 2:45s 0 -
        Zone Pacific/Chatham 12:45 Chatham +1245/+1345
        # Samoa crossed the date line: 30 December 2011 never was.
        Rule WS 2010 only - Sep lastSun 0:00 1:00 -
        Rule WS 2011 only - Apr Sat>=1 4:00 0 -
        Rule WS 2011 only - Sep lastSat 3:00 1:00 -
        Rule WS 2012 2021 - Apr Sun>=1 4:00 0 -
        Rule WS 2012 2020 - Sep lastSun 3:00 1:00 -
        Zone Pacific/Apia -11:00 WS -11/-10 2011 Dec 29 24:00
                          13:00 WS +13/+14

        # Antarctica: two hours
        Rule Troll 2005 max - Mar lastSun 1:00u 2:00 +02
        Rule Troll 2005 max - Oct lastSun 1:00u 0:00 +00
        Zone Antarctica/Troll 0:00 Troll %s

        Zone Etc/UTC 0:00 - UTC
        Link Etc/UTC UTC
        # A rule that no library can know.
        Zone Test/Shift 3:00 - +03 2027 Jan 1 0:00
                        4:00 - +04
        """
}
