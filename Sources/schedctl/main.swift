print("schedctl")
