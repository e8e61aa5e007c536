package dev.orderly.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Scripts that complete the commands and options of a program in a shell. */
public final class CompletionScript {
    private final CommandLine root;
    private final String program;

    /** @param root with all subcommands */
    public CompletionScript(CommandLine root) {
        this.root = root;
        this.program = root.getCommandName();
    }

    public String bash() {
        return AutoComplete.bash(program, root);
    }

    /** The script for bash, run by zsh's emulation of bash's completion. */
    public String zsh() {
        return "#compdef " + program
                + "\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
                + bash();
    }

    /** One rule for each subcommand and option, under the condition that the words before it are its command. */
    public String fish() {
        List<String> lines = new ArrayList<>(List.of("""
                function __%1$s_words
                    set -l words
                    for word in (commandline -opc)[2..-1]
                        string match -q -- '-*' $word; or set -a words $word
                    end
                    echo "$words"
                end
                function __%1$s_is
                    test (__%1$s_words) = "$argv"
                end
                function __%1$s_in
                    string match -q -- "$argv*" (__%1$s_words)
                end
                complete -c %1$s -f""".formatted(program)));
        addFish(lines, root, "");
        return String.join("\n", lines) + "\n";
    }

    private void addFish(List<String> lines, CommandLine command, String path) {
        for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
            lines.add("complete -c " + program + " -n '__" + program + "_is " + path + "' -a " + sub.getKey() + " -d "
                    + quoted(sub.getValue().getCommandSpec().usageMessage().description()));
            addFish(lines, sub.getValue(), (path + " " + sub.getKey()).strip());
        }
        for (OptionSpec option : command.getCommandSpec().options()) {
            StringBuilder line = new StringBuilder("complete -c ").append(program).append(" -n '__").append(program)
                    .append("_in ").append(path).append('\'');
            for (String name : option.names()) {
                line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            lines.add(line + (option.arity().max() > 0 ? " -r" : "") + " -d " + quoted(option.description()));
        }
    }

    private static String quoted(String... description) {
        String text = description.length == 0 ? "" : description[0].replace("%n", " ").replace("%%", "%");
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
