package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** {@code orderly draw verify}, and the checkers of docs/draw.md, on the same vectors, which another program made. */
class DrawCommandTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "docs", "draw.md");
    private static final Map<String, String> PROGRAMS = Map.of("python", "python3", "javascript", "node");

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String draw = "";
    private String receipt = "";

    @BeforeEach
    void read() throws IOException {
        load("");
    }

    /** Takes the vectors of a draw, with tiers or without. */
    private void load(String kind) throws IOException {
        draw = resource(kind + "draw.json");
        receipt = resource(kind + "receipt.json");
        write();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(DrawCommandTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void write() throws IOException {
        Files.writeString(folder.resolve("draw.json"), draw);
        Files.writeString(folder.resolve("receipt.json"), receipt);
    }

    private int verify() {
        return Main.run(TestTerminal.of(out, err, Map.of()), "draw", "verify", folder.resolve("draw.json").toString(),
                "--receipt", folder.resolve("receipt.json").toString());
    }

    /** Runs the checker of the page; -1 where this machine has no program for it. */
    private int check(String language) throws Exception {
        String program = PROGRAMS.getOrDefault(language, language);
        String path = ChildProcess.installed(program).map(Path::toString).orElse("");
        if (path.isEmpty()) {
            LoggerFactory.getLogger(DrawCommandTest.class)
                    .error("NOT TESTED: the {} checker of docs/draw.md, which needs {}"
                            + " on the PATH", language, program);
            return -1;
        }
        Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        assertThat(block.find()).as("a %s block in docs/draw.md", language).isTrue();
        assertThat(block.group(1).lines().count()).as("lines of the %s checker", language).isLessThanOrEqualTo(30);
        Path file = Files.writeString(folder.resolve("checker." + language), block.group(1));
        List<String> command = new ArrayList<>(List.of(path, file.toString(), folder.resolve("draw.json").toString(),
                folder.resolve("receipt.json").toString()));
        Path printed = folder.resolve("printed");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the checker ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() == 0) {
            assertThat(Files.readString(printed)).isIn("place 4 of 7 \n", "place 1 of 5 members\n");
        }
        return process.exitValue() == 0 ? 0 : 1;
    }

    @Test
    void aDrawAndAReceiptThatHoldAreAccepted() {
        assertThat(verify()).as(err.toString()).isZero();
        assertThat(out.toString()).contains("The seed is the one committed to before the lobby.",
                "The ticket is number 4 of 7 in the root, and its drawn place is 4.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "javascript"})
    void theCheckersOfThePageAcceptTheSameVectors(String language) throws Exception {
        assertThat(check(language)).isLessThanOrEqualTo(0);
    }

    @ParameterizedTest
    @CsvSource({"draw,seed\": \"..,seed\": \"00", "draw,sale,fair", "draw,Lottery,Lotterie", "draw,16 23,16 24",
            "draw,commitment\": \"..,commitment\": \"00", "draw,\"count\": 7,\"count\": 5",
            "draw,root\": \"..,root\": \"00", "receipt,\"index\": 4,\"index\": 3", "receipt,\"place\": 4,\"place\": 1",
            "receipt,nonce\": \"..,nonce\": \"00", "receipt,nonce\": \"[^\"]*,nonce\": \"",
            "receipt,path\": \\[.*?\\],path\": []"})
    void anythingElseIsRefusedByAllOfThem(String file, String from, String to) throws Exception {
        Pattern old = Pattern.compile(from, Pattern.DOTALL);
        draw = file.equals("draw") ? old.matcher(draw).replaceFirst(to) : draw;
        receipt = file.equals("receipt") ? old.matcher(receipt).replaceFirst(to) : receipt;
        write();
        assertThat(verify()).isEqualTo(Main.FAILED);
        for (String language : PROGRAMS.keySet()) {
            assertThat(check(language)).as(language).isNotZero();
        }
    }

    @Test
    void aDrawWithTiersIsAcceptedByAllOfThem() throws Exception {
        load("tier-");
        assertThat(verify()).as(err.toString()).isZero();
        assertThat(out.toString()).contains("The ticket is number 7 of 11 in the root, and its drawn place is 1 of tier"
                + " members.");
        for (String language : PROGRAMS.keySet()) {
            assertThat(check(language)).as(language).isLessThanOrEqualTo(0);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"members|friends", "\"count\": 5|\"count\": 6", "orderly-draw-2|orderly-draw-1",
                    "\"tiers\": \\[.*?\\],|",
                    "\"name\": \"members\",\\s*\"count\": 5|\"name\": \"members\", \"count\": 3"})
    void ticketsOfTiersThatWereChangedAfterTheCloseAreRefusedByAllOfThem(String from, @Nullable String to)
            throws Exception {
        load("tier-");
        draw = Pattern.compile(from, Pattern.DOTALL).matcher(draw).replaceFirst(Objects.requireNonNullElse(to, ""));
        write();
        assertThat(verify()).isEqualTo(Main.FAILED);
        for (String language : PROGRAMS.keySet()) {
            assertThat(check(language)).as(language).isNotZero();
        }
    }

    @Test
    void aDrawThatIsNotMadeYetAndAFileThatIsNoneNameTheRemedy() throws IOException {
        draw = draw.replaceAll("\"seed\": \"[0-9a-f]*\"", "\"none\": null");
        write();
        assertThat(verify()).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("no seed yet: check it again after the draw");
        draw = "none";
        write();
        assertThat(verify()).isEqualTo(Main.FAILED);
        assertThat(err.toString().replaceAll("\\s+", " "))
                .contains("Name a file or an address with the JSON of a draw");
    }
}
