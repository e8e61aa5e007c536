package dev.orderly.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
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

    /**
     * A function for zsh, to be loaded from a folder of {@code fpath} or to be read: the branch of the longest command
     * before the cursor names its subcommands and options.
     */
    public String zsh() {
        List<String> lines = new ArrayList<>(List.of("""
                #compdef %1$s
                _%1$s() {
                    local line= word
                    local -a commands options
                    local -i inside=1
                    for word in "${(@)words[2,CURRENT-1]}"; do
                        [[ $word == -* ]] || line="${line:+$line }$word"
                    done
                    while true; do
                        case "$line" in""".formatted(program)));
        addZsh(lines, root, "");
        lines.add("""
                            *)
                                inside=0
                                [[ $line == *' '* ]] && line="${line%% *}" || line=
                                continue ;;
                        esac
                        break
                    done
                    if [[ $PREFIX == -* ]]; then
                        _describe option options
                    elif (( inside && $#commands )); then
                        _describe command commands
                    else
                        _files
                    fi
                }
                if [[ $funcstack[1] == _%1$s ]]; then
                    _%1$s "$@"
                else
                    compdef _%1$s %1$s
                fi""".replace("%1$s", program).replace("%% *", "% *").indent(0).stripTrailing());
        return String.join("\n", lines) + "\n";
    }

    private static void addZsh(List<String> lines, CommandLine command, String path) {
        StringJoiner commands = new StringJoiner(" ");
        command.getSubcommands().forEach((name, sub) -> commands.add(quoted(name + ":" + first(
                sub.getCommandSpec().usageMessage().description()))));
        StringJoiner options = new StringJoiner(" ");
        for (OptionSpec option : command.getCommandSpec().options()) {
            for (String name : option.names()) {
                options.add(quoted(name + ":" + first(option.description())));
            }
        }
        lines.add("            '" + path + "') commands=(" + commands + ")\n                options=(" + options
                + ") ;;");
        command.getSubcommands().forEach((name, sub) -> addZsh(lines, sub, (path + " " + name).strip()));
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
                    + escaped(first(sub.getValue().getCommandSpec().usageMessage().description())));
            addFish(lines, sub.getValue(), (path + " " + sub.getKey()).strip());
        }
        for (OptionSpec option : command.getCommandSpec().options()) {
            StringBuilder line = new StringBuilder("complete -c ").append(program).append(" -n '__").append(program)
                    .append("_in ").append(path).append('\'');
            for (String name : option.names()) {
                line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            lines.add(line + (option.arity().max() > 0 ? " -r" : "") + " -d " + escaped(first(option.description())));
        }
    }

    private static String first(String... description) {
        return description.length == 0 ? "" : description[0].replace("%n", " ").replace("%%", "%");
    }

    /** A text in single quotes, as fish reads it. */
    private static String escaped(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** A text in single quotes, as zsh reads it. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
