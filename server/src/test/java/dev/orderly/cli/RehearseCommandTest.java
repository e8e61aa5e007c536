package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code orderly rehearse}. */
class RehearseCommandTest {
    private static final String[] CROWD = {"--visitors", "300", "--over", "1m", "--stay", "30s", "--absent", "20%"};

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("small.yaml"), rooms("sale: { match: [/a], capacity: 10 }"));
        Files.writeString(folder.resolve("large.yaml"),
                rooms("sale: { match: [/a], capacity: 100, rate: 5 per 1s }\n  other: { match: [/b], capacity: 1 }"));
        Files.writeString(folder.resolve("none.yaml"), "store: sqlite:orderly.db\n");
    }

    private static String rooms(String rooms) {
        return "store: sqlite:orderly.db\nedge: { origin: 'http://127.0.0.1:9' }\nrooms:\n  " + rooms + "\n";
    }

    private int run(String... more) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(TestTerminal.of(out, err, Map.of()), Stream.concat(Stream.of("rehearse"),
                Stream.of(more).map(each -> each.endsWith(".yaml") || each.endsWith(".svg")
                        ? folder.resolve(each).toString()
                        : each))
                .toArray(String[]::new));
    }

    private int crowd(String... more) {
        return run(Stream.concat(Stream.of(CROWD), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void twoConfigurationsStandSideBySideInTheTableAndInThePicture() throws Exception {
        assertThat(crowd("--config", "small.yaml", "--against", "large.yaml", "--svg", "sale.svg")).as(err.toString())
                .isZero();
        assertThat(out.toString())
                .startsWith("Room sale: 300 visitors within 1 min, stays of 30 s, 20% never come back")
                .containsPattern("limits +capacity 10, pass-idle 5 min +capacity 100, rate 5 per 1 ?s, pass-idle 5 min")
                .containsPattern("wait p95 +\\d+ .*min.* +\\d+").containsPattern("54 s to 1 min +\\d+ +\\d+");
        String svg = Files.readString(folder.resolve("sale.svg"));
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("sale.svg").toFile());
        assertThat(svg).contains("small.yaml", "large.yaml", "visitors in line", "stroke-dasharray");
    }

    @Test
    void theResultIsJsonOnRequest() {
        assertThat(crowd("--config", "small.yaml", "--json")).isZero();
        JsonNode room = JsonMapper.shared().readTree(out.toString()).path("rehearsals").get(0);
        assertThat(room.path("room").asString()).isEqualTo("sale");
        assertThat(room.path("arrivals")).hasSize(10);
        assertThat(room.path("waitP95").asInt()).isGreaterThan(room.path("waitP50").asInt()).isPositive();
        assertThat(room.path("nobodyWaitsAfter").asInt()).isGreaterThanOrEqualTo(room.path("longestWait").asInt());
    }

    @Test
    void aBoundOfWaitsDecidesAboutTheExitCode() {
        assertThat(crowd("--config", "small.yaml", "--p95-below", "7d")).isZero();
        assertThat(crowd("--config", "small.yaml", "--p95-below", "1m")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("95 % wait up to", "not below 1 min");
    }

    @Test
    void whoIsShutOutAtTheCloseHasWaitedTooLong() throws Exception {
        Files.writeString(folder.resolve("brief.yaml"), rooms("sale: { match: [/a], rate: 1 per 1s, openings: [{ opens:"
                + " '2127-03-01T10:00 Europe/Berlin', closes: '2127-03-01T10:01 Europe/Berlin' }] }"));
        assertThat(crowd("--config", "brief.yaml", "--p95-below", "7d")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("or are shut out at the close");
    }

    @Test
    void aRoomWhoseOpeningsAreOverIsNotRehearsed() throws Exception {
        Files.writeString(folder.resolve("over.yaml"), rooms("sale: { match: [/a], rate: 1 per 1s, openings: [{ opens:"
                + " '2021-03-01T10:00 Europe/Berlin', closes: '2021-03-01T10:01 Europe/Berlin' }] }"));
        assertThat(crowd("--config", "over.yaml")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("the last opening of room sale is over", "--begin");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--visitors 0 --over 1m --stay 1m --config small.yaml | --visitors is 0: use 1 to 1000000",
            "--visitors 9 --over 1x --stay 1m --config small.yaml | --over is 1x: use a time of 1s to 1d",
            "--visitors 9 --over 1m --stay 2d --config small.yaml | --stay is 2d: use a time of 1s to 1d",
            "--visitors 9 --over 1m --stay 1m --absent 100% --config small.yaml | --absent is 100%: use 0% to 99%",
            "--visitors 9 --over 1m --stay 1m --begin ten --config small.yaml | --begin is ten: use a day and a time",
            "--visitors 9 --over 1m --stay 1m --config large.yaml | has the rooms sale, other: choose one with --room",
            "--visitors 9 --over 1m --stay 1m --room x --config large.yaml | has no room x: it has sale, other",
            "--visitors 9 --over 1m --stay 1m --config none.yaml | has no room: declare one in rooms",
            "--visitors 9 --over 1m --stay 1m --config away.yaml | away.yaml",
            "--over 1m --stay 1m --config small.yaml | --visitors"})
    void aWrongRequestIsAnErrorThatNamesTheRuleAndTheRemedy(String line, String error) {
        assertThat(run(line.strip().split(" "))).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains(error.strip());
    }

    @Test
    void aPictureThatCannotBeWrittenIsAFailure() {
        assertThat(crowd("--config", "small.yaml", "--svg", "nowhere/sale.svg")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("cannot be written", "a folder that exists");
    }
}
