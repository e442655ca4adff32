print("schedd")
