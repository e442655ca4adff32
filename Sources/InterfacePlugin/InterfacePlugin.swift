// Has the generator write the Swift side of the interface before its target is compiled.

import PackagePlugin

@main
struct InterfacePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let texts = target.sourceModule?.sourceFiles(withSuffix: ".varlink") else {
            return []
        }
        let inputs = texts.map(\.url)
        let folder = context.pluginWorkDirectoryURL
        // What the generator writes for a text is named after it: a guess would go unnoticed until
        // the compiler misses a type.
        let outputs = inputs.map { text in
            let name = text.deletingPathExtension().lastPathComponent
            return folder.appending(path: "\(name).swift")
        }
        return [
            .buildCommand(
                displayName: "Writing the interface's Swift types",
                executable: try context.tool(named: "InterfaceGenerator").url,
                arguments: [folder.path()] + inputs.map { $0.path() },
                inputFiles: inputs, outputFiles: outputs)
        ]
    }
}
