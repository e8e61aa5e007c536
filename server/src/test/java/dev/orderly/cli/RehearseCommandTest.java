package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
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
        Files.writeString(folder.resolve("tiers.yaml"), rooms("sale: { match: [/a], capacity: 10, tiers: ["
                + "{ name: press, invitations: true, share: 5% },"
                + " { name: friends, invitations: true, share: 20% }] }"));
        Files.writeString(folder.resolve("none.yaml"), "store: sqlite:orderly.db\n");
    }

    private static String rooms(String rooms) {
        return "store: sqlite:orderly.db\nedge: { origin: 'http://127.0.0.1:9' }\nrooms:\n  " + rooms + "\n";
    }

    private int run(String... more) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(TestTerminal.of(out, err, Map.of()), Stream.concat(Stream.of("rehearse"),
                Stream.of(more).map(each -> each.endsWith(".yaml") || each.endsWith(".svg") || each.endsWith(".log")
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
            "--over 1m --stay 1m --config small.yaml | A crowd is missing: describe it with --visitors, --over",
            "--replay day.log --over 1m --config small.yaml | out --visitors, --over, --arrivals, --absent and --tier",
            "--visitors 9 --over 1m --stay 1m --tier press=2 --config tiers.yaml | --tier is press=2: use a share",
            "--visitors 9 --over 1m --stay 1m --tier crew=5% --config tiers.yaml | crew, which is no tier of room sale",
            "--visitors 9 --over 1m --stay 1m --tier press=90% --config tiers.yaml | more than all: lower a share",
            "--replay away.log --config small.yaml | away.log cannot be read",
            "--replay away.log --stay 2x --config small.yaml | --stay is 2x: use a time of 1s to 1d"})
    void aWrongRequestIsAnErrorThatNamesTheRuleAndTheRemedy(String line, String error) {
        assertThat(run(line.strip().split(" "))).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains(error.strip());
    }

    private JsonNode replayed(String lines, String... more) throws IOException {
        Files.writeString(folder.resolve("day.log"), lines);
        Stream<String> room = List.of(more).contains("--config") ? Stream.of() : Stream.of("--config", "small.yaml");
        assertThat(run(Stream.of(Stream.of("--replay", "day.log", "--json"), room, Stream.of(more))
                .flatMap(each -> each).toArray(String[]::new))).as(err.toString()).isZero();
        return JsonMapper.shared().readTree(out.toString()).path("rehearsals").get(0);
    }

    private static int visitors(JsonNode rehearsed) {
        return IntStream.range(0, 10).map(n -> rehearsed.path("arrivals").get(n).path("visitors").asInt()).sum();
    }

    @Test
    void aRecordedDayIsPlayedInAnyOrderWithTheStaysThatItSays() throws Exception {
        StringBuilder lines = new StringBuilder("# the sale of March\n\n");
        for (int n = 20; n > 0; n--) {
            lines.append("2027-03-01T10:00:").append(n + 20).append("+01:00, 10m\n");
        }
        lines.append("2027-03-01T09:01:00Z,absent\r\n2027-03-01T09:10:20Z,0s");
        JsonNode room = replayed(lines.toString());
        assertThat(visitors(room)).isEqualTo(21);
        // Ten are inside for ten minutes and half of pass-idle (5 min) at least; the last one waits for the others.
        assertThat(room.path("longestWait").asInt()).isBetween(740, 1_300);
        assertThat(run("--replay", "day.log", "--config", "small.yaml", "--against", "large.yaml")).isZero();
        assertThat(out.toString())
                .startsWith("Room sale: 22 visitors within 9 min 59 s as recorded from 2027-03-01T09:00:21Z"
                        + " on, 4.5% never come back");
    }

    @Test
    void theVisitorLogOfARoomIsARecordedDay() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int n = 1; n <= 12; n++) {
            lines.append(logged(n, n, false)).append(logged(n + 20, n, true)).append(logged(n + 50, n, true));
        }
        lines.append(logged(5, 13, false)); // never came back
        lines.append(logged(6, 14, false)).append(logged(16, 14, false)); // gave up
        lines.append(logged(7, 15, true).replace("sale", "other")).append(logged(8, 16, true).replace("16", "null"));
        lines.append("{\"time\":\"2027-03-01T10:00:00Z\",\"lost\":1200}\n");
        JsonNode room = replayed(lines.toString(), "--stay", "1m");
        assertThat(visitors(room)).as("without the one who never came back").isEqualTo(13);
        assertThat(err.toString()).contains("day.log has lost 1,200 lines");
        // Ten are inside, for 30 s and an idle pass of two and a half minutes at least.
        assertThat(room.path("longestWait").asInt()).isBetween(165, 340);
        Files.writeString(folder.resolve("day.log"), lines);
        assertThat(run("--replay", "day.log", "--config", "small.yaml")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("the visitor of place 14 did not enter: add --stay");
    }

    @Test
    void eachTierHasItsShareOfTheCrowdUnlessAnotherIsNamed() throws Exception {
        assertThat(crowd("--config", "tiers.yaml", "--tier", "press=50%", "--json")).as(err.toString()).isZero();
        JsonNode tiers = JsonMapper.shared().readTree(out.toString()).path("rehearsals").get(0).path("tiers");
        assertThat(tiers).hasSize(3);
        assertThat(tiers.get(0).path("tier").asString()).isEqualTo("press");
        assertThat(tiers.get(0).path("visitors").asInt()).isBetween(90, 150);
        assertThat(tiers.get(1).path("visitors").asInt()).isBetween(25, 75);
        assertThat(tiers.get(2).path("tier").isNull()).isTrue();
        assertThat(tiers.get(0).path("waitP95").asInt()).as("half of the crowd with 5 %")
                .isGreaterThan(tiers.get(2).path("waitP95").asInt());
        assertThat(crowd("--config", "tiers.yaml", "--against", "small.yaml", "--svg", "sale.svg")).isZero();
        assertThat(out.toString()).containsPattern("\nTIER +VISITORS").containsPattern("\nfriends +\\d+ .* - +-")
                .containsPattern("\nno tier +\\d+ ");
        assertThat(err.toString()).contains("Visitors of tier press have no tier in").contains("small.yaml");
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("sale.svg").toFile());
        assertThat(Files.readString(folder.resolve("sale.svg"))).contains("of each tier", ">friends<", ">no tier<");
    }

    @Test
    void aRecordedDayHasTheTiersOfItsLines() throws Exception {
        String lines = """
                2027-03-01T10:00:00Z,4m,tier=press
                2027-03-01T10:00:01Z, absent, tier=friends
                2027-03-01T10:00:02Z,1m
                2027-03-01T10:00:03Z,,tier=friends
                2027-03-01T10:00:04Z,tier=friends
                """;
        JsonNode tiers = replayed(lines, "--stay", "1m", "--config", "tiers.yaml").path("tiers");
        assertThat(tiers).extracting(tier -> tier.path("tier").asString("-"), tier -> tier.path("visitors").asInt())
                .containsExactly(tuple("friends", 2), tuple("press", 1), tuple("-", 1));
        String press = logged(1, 1, true).replace("}", ",\"tier\":\"press\"}");
        JsonNode logged = replayed(logged(1, 1, true) + press, "--config", "tiers.yaml").path("tiers");
        assertThat(logged).as("the same place in two lines").extracting(tier -> tier.path("visitors").asInt())
                .containsExactly(1, 1);
    }

    private static String logged(int second, int place, boolean permitted) {
        return "{\"time\":\"" + Instant.parse("2027-03-01T10:00:00Z").plusSeconds(second)
                + "\",\"room\":\"sale\",\"address\":\"203.0.113.0\",\"permitted\":" + permitted
                + ",\"status\":200,\"cursor\":1,\"place\":" + place + "}\n";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "'' | day.log has no visitor with a place in room sale: record with visitor-log",
            "# none | has no visitor",
            "ten a.m. | day.log, line 1: ten a.m. is no time with its zone: use a time, and behind commas",
            "2027-03-01T10:00:00 | line 1: 2027-03-01T10:00:00 is no time with its zone",
            "2027-03-01T10:00:00Z,long | line 1: long is no stay of up to 1d: use a time",
            "2027-03-01T10:00:00Z,1m,tier=Gold Card | line 1: tier=Gold Card names no tier: use a time",
            "2027-03-01T10:00:00Z,tier=press,1m | line 1: tier=press,1m is no stay",
            "2027-03-01T10:00:00Z,2d | line 1: 2d is no stay",
            "2027-03-01T10:00:00Z | does not say all stays, line 1 has none: add --stay",
            "2027-03-01T10:00:00Z,1m#2027-03-09T10:00:00Z,1m | come within 8 days: leave lines out until it is 6 days",
            "{\"time\":\"2027-03-0 | line 1: it is cut off, or no line of a visitor log: remove it",
            "{\"room\":\"sale\",\"place\":1} | line 1:  is no time",
            "+1000000000-12-31T23:59:59Z,1m | is none of the years 1970 to 9999: use a time",
            "-0001-01-01T00:00:00Z,1m | line 1: -0001-01-01T00:00:00Z is none of the years 1970 to 9999",
            "{\"room\":\"sale\",\"place\":9000000000000000000000} | has no visitor with a place in room sale",
            "{\"room\":\"other\",\"place\":1} | has no visitor with a place in room sale"})
    void aLineThatIsNoneOfARecordedDayIsNamedWithTheRuleAndTheRemedy(String lines, String error) throws IOException {
        Files.writeString(folder.resolve("day.log"), lines.startsWith("#") ? lines : lines.replace('#', '\n'));
        assertThat(run("--replay", "day.log", "--config", "small.yaml")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains(error.strip());
    }

    @Test
    void filesOfARotatedVisitorLogArePlayedTogetherAsTheyAre() throws IOException {
        ByteArrayOutputStream day = new ByteArrayOutputStream();
        for (int n = 1; n <= 2; n++) {
            try (GZIPOutputStream file = new GZIPOutputStream(day)) {
                file.write(logged(n, n, true).getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.write(folder.resolve("day.log"), day.toByteArray());
        assertThat(run("--replay", "day.log", "--config", "small.yaml")).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith("Room sale: 2 visitors");
        Files.write(folder.resolve("day.log"), Arrays.copyOf(day.toByteArray(), 40));
        assertThat(run("--replay", "day.log", "--config", "small.yaml")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("day.log cannot be read");
    }

    @Test
    void aFileMayBeginWithAByteOrderMark() throws IOException {
        assertThat(visitors(replayed("\uFEFF2027-03-01T10:00:00Z,1m"))).isEqualTo(1);
        assertThat(visitors(replayed("\uFEFF" + logged(1, 1, true)))).isEqualTo(1);
    }

    @Test
    void aLineOfAnyLengthCostsNoMoreMemoryThanItsBound() throws IOException {
        Files.writeString(folder.resolve("day.log"), "2027-03-01T10:00:00Z,1m\n" + "x".repeat(70_000));
        assertThat(run("--replay", "day.log", "--config", "small.yaml")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("day.log, line 2: it is longer than 65536 characters");
    }

    @Test
    void aPictureThatCannotBeWrittenIsAFailure() {
        assertThat(crowd("--config", "small.yaml", "--svg", "nowhere/sale.svg")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("cannot be written", "a folder that exists");
    }
}
