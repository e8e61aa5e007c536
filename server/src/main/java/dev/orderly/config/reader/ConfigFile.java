package dev.orderly.config.reader;

import dev.orderly.config.Config;
import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.SchemaValidator;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.config.source.ValueOrigin;
import dev.orderly.config.source.YamlNode;
import dev.orderly.config.source.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration: the file, overridden by the environment, overridden by the options of the command line. The
 * result is a valid configuration, or the list of all problems; nothing is repaired.
 */
public final class ConfigFile {
    /** The largest accepted file, in bytes. */
    public static final int SIZE_MAX = 1 << 20;

    private final Path file;
    private final @Nullable String given;
    private final Map<String, String> environment;
    private final Map<String, YamlNode> flags = new LinkedHashMap<>();

    /** @param environment variables of the process */
    public ConfigFile(Path file, Map<String, String> environment) {
        this(file, null, environment);
    }

    private ConfigFile(Path file, @Nullable String given, Map<String, String> environment) {
        this.file = file.toAbsolutePath();
        this.given = given;
        this.environment = Map.copyOf(environment);
    }

    /**
     * A configuration without a file.
     *
     * @param text the content that a file would have
     * @param folder the folder of relative paths
     */
    public static ConfigFile of(String text, Path folder, Map<String, String> environment) {
        return new ConfigFile(folder.resolve("no-file"), text, environment);
    }

    /**
     * Lets an option of the command line override a key.
     *
     * @param option in the user's spelling: {@code --port}
     * @param key a key with a fixed path: {@code edge.port}
     * @param value a plain value, or a list of them; null if the option was not given
     */
    public ConfigFile override(String option, String key, @Nullable Object value) {
        ValueOrigin origin = new ValueOrigin.Flag(option);
        if (value instanceof List<?> list) {
            flags.put(key,
                    new YamlNode.Listing(list.stream().<YamlNode>map(item -> text(item, origin)).toList(), origin));
        } else if (value != null) {
            flags.put(key, text(value, origin));
        }
        return this;
    }

    private static YamlNode.Text text(Object value, ValueOrigin origin) {
        return new YamlNode.Text(value.toString(), origin);
    }

    /**
     * Reads and checks the configuration. Blocks on the file, and on the files of its waiting pages and certificates;
     * opens no other file.
     */
    public ConfigResult read() {
        List<ConfigProblem> problems = new ArrayList<>();
        String text = given == null ? content(problems) : given;
        YamlNode.Section section = text == null ? null : new YamlReader(problems).read(text);
        if (section == null) {
            return new ConfigResult.Invalid(problems);
        }
        YamlNode.Section all = new Overrides(environment, problems).apply(section, flags);
        new SchemaValidator(problems).check("", Config.FILE.entries(), all);
        Path folder = file.getParent();
        Config config = Config.read(
                new CheckedSection("", all,
                        new CheckedSection.Context(folder == null ? file : folder, environment, problems)),
                problems.isEmpty() ? ConfigListing.of(all) : List.of());
        if (problems.isEmpty()) {
            return new ConfigResult.Valid(config);
        }
        problems.sort(Comparator.comparingInt(ConfigFile::place));
        return new ConfigResult.Invalid(problems);
    }

    private static int place(ConfigProblem problem) {
        return problem.origin() instanceof ValueOrigin.FileLine(int number) ? number : Integer.MAX_VALUE;
    }

    private @Nullable String content(List<ConfigProblem> problems) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SIZE_MAX + 1);
            if (bytes.length > SIZE_MAX) {
                problems.add(ConfigProblem.missing("", "The file is larger than " + UnitText.sizeText(SIZE_MAX),
                        "check that " + file + " is the intended file"));
                return null;
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            problems.add(ConfigProblem.missing("", "The file is not UTF-8 text", "save it as UTF-8"));
        } catch (NoSuchFileException e) {
            problems.add(ConfigProblem.missing("", "There is no file " + file, "check the path given with --config"));
        } catch (IOException e) {
            problems.add(
                    ConfigProblem.missing("", "The file cannot be read: " + e,
                            "check " + file + " and its permissions"));
        }
        return null;
    }
}
