// What schedd says about its own command line.

import Glibc
import Platform

enum Usage {
    static let options = [
        OptionSpecification("socket", value: "PATH"),
        OptionSpecification("state-dir", value: "DIR"),
        OptionSpecification("zoneinfo", value: "DIR"),
        OptionSpecification("localtime", value: "FILE"),
        OptionSpecification("zone-check", value: "SECONDS"),
        OptionSpecification("help", short: "h"),
        OptionSpecification("version"),
    ]

    static let text = """
        Usage: schedd [OPTION]...
        Keeps scheduled notifications and shows them when they are due.

        schedd runs as a systemd user service; apps and schedctl talk to it over a Unix
        socket. It needs no options for that.

          --socket PATH      the socket to listen on, unless systemd passes one
                             [$SCHEDD_SOCKET, else $XDG_RUNTIME_DIR/schedd/io.schedd]
          --state-dir DIR    where the queue is kept
                             [$XDG_STATE_HOME/schedd, else ~/.local/state/schedd]
          --zoneinfo DIR     the zone files [$TZDIR, else /usr/share/zoneinfo]
          --localtime FILE   what names the machine's zone, unless TZ is set [/etc/localtime]
          --zone-check SECONDS
                             how often both are looked at without word of a change, as a
                             file system over the network gives none [86400]
          -h, --help         this text
          --version          the version

        Exit status: 0 after a clean stop, 1 when it cannot run, 2 for a wrong command line.
        See what is scheduled with: schedctl list

        """

    static func print(_ text: String) -> Never {
        do throws(Errno) {
            try StandardStream.output.write(text)
        } catch {
            exit(1)
        }
        exit(0)
    }
}

/// exit(3), for a file that would otherwise need Glibc for nothing else.
func leave(_ status: Int32) -> Never {
    exit(status)
}
