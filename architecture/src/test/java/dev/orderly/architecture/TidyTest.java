package dev.orderly.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Size limits of files and methods, and a ban on notes for later. */
class TidyTest {
    private static final int FILE_MAX = 400;
    /** Files that are one thing and longer, each with its reason. */
    private static final Map<String, String> LONGER = Map.ofEntries(
            Map.entry("store-sqlite/src/main/java/dev/orderly/store/sqlite/file/SqliteMigrations.java",
                    "the versions of one schema in their order, and what their tables mean"),
            Map.entry("store-sqlite/src/main/java/dev/orderly/store/sqlite/table/JobTable.java",
                    "the statements on one table, a method for each"),
            Map.entry("core/src/main/java/dev/orderly/Orderly.java",
                    "the face of the library: its verbs with their Javadoc, each a line of code"),
            Map.entry("core/src/main/java/dev/orderly/job/engine/JobClient.java",
                    "the list of what can be asked of jobs; the work is in the classes that it calls"),
            Map.entry("core/src/main/java/dev/orderly/job/diagnosis/JobDiagnostics.java",
                    "one explanation: the causes in the order in which they count, a method for each"),
            Map.entry("server/src/test/java/dev/orderly/config/RoomConfigTest.java",
                    "the rules of one section of the file, a test for each"),
            Map.entry("core/src/main/java/dev/orderly/job/store/JobStore.java",
                    "the promises of one port: each sentence is a test of its contract"),
            Map.entry("http/src/test/java/dev/orderly/http/WorkerApiTest.java",
                    "the calls of workers elsewhere, a test for each"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/contract/copy/CopyState.java",
                    "one store with everything in it: a method for each kind of data"),
            Map.entry("http/src/test/java/dev/orderly/http/ApiTest.java",
                    "the calls of the API on jobs and queues, a test for each"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/contract/job/JobRandomRun.java",
                    "one run of commands on a store and its model: a method for each command over the same state"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/contract/job/LimitPart.java",
                    "the promises of limits, a test for each"),
            Map.entry("store-sqlite/src/main/java/dev/orderly/store/sqlite/state/FifoQueueIndex.java",
                    "the groups of one queue and their phases: a method for each change of a job"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/contract/job/BatchPart.java",
                    "the promises of batches, a test for each"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/contract/job/KeyPart.java",
                    "the promises of keys, a test for each"),
            Map.entry("store-postgres/src/main/java/dev/orderly/store/postgres/copy/PostgresJobCopy.java",
                    "the columns of jobs and keys, read and written side by side"),
            Map.entry("spring/src/main/java/dev/orderly/spring/config/OrderlyProperties.java",
                    "the list of all properties with what they mean"),
            Map.entry("store-postgres/src/main/java/dev/orderly/store/postgres/job/PostgresBatches.java",
                    "one port with its round: a method for each call over the same statements"),
            Map.entry("testkit/src/main/java/dev/orderly/testkit/MemoryJobs.java",
                    "one port, a method for each call, each the shortest code for its sentence"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/jobsim/JobReferee.java",
                    "the judge of starts and ends: a method for each thing that happens in a run"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/jobsim/JobSimulation.java",
                    "the course of a run, and a case for each step of clients, operators and disturbances"),
            Map.entry("core/src/main/java/dev/orderly/job/engine/Pusher.java",
                    "the way of every push from its request to the store, of a transaction or not"),
            Map.entry("core/src/main/java/dev/orderly/job/engine/GroupRunner.java",
                    "the course of an attempt, step by step"),
            Map.entry("store-postgres/src/test/java/dev/orderly/store/postgres/CallersTransactionTest.java",
                    "the promises of a caller's transaction on one fixture"),
            Map.entry("core/src/main/java/dev/orderly/schedule/ScheduleEngine.java",
                    "declaring, operating and firing share one table of schedules"),
            Map.entry("contracts/src/test/java/dev/orderly/testkit/contract/PlantedBugsTest.java",
                    "the list of the planted bugs, each with what finds it"),
            Map.entry("contracts/src/test/java/dev/orderly/testkit/contract/BuggyJobs.java",
                    "one store, a method for each call"),
            Map.entry("contracts/src/test/java/dev/orderly/testkit/contract/BuggyRooms.java",
                    "one store, a method for each call"),
            Map.entry("core-tests/src/test/java/dev/orderly/testkit/sim/PlantedFlawsTest.java",
                    "the list of the planted flaws, each with the crowd that meets it"),
            Map.entry("store-redis/src/main/java/dev/orderly/store/redis/RedisRooms.java",
                    "one port, a method for each call"),
            Map.entry("store-postgres/src/main/java/dev/orderly/store/postgres/room/RoomFunctions.java",
                    "the functions of rooms in the database, a method for the call of each"),
            Map.entry("server/src/main/java/dev/orderly/server/OrderlyServer.java",
                    "the wiring of the server in one readable file"),
            Map.entry("server/src/main/java/dev/orderly/config/Config.java",
                    "the root of the file: its keys, how they are read, and the rules between its sections"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/contract/room/RoomModel.java",
                    "one model: what a room should be, and a method for each request"),
            Map.entry("core/src/main/java/dev/orderly/room/gate/RoomVisits.java",
                    "what a gate does for visitors, a method for each"),
            Map.entry("core/src/main/java/dev/orderly/room/forecast/Forecaster.java",
                    "one forecast: what it learns, announces and compares is one state under one lock"),
            Map.entry("core/src/main/java/dev/orderly/room/forecast/PresenceTable.java",
                    "what a gate knows of each place, a method for each question over the same chunks"),
            Map.entry("core/src/main/java/dev/orderly/room/gate/Admissions.java",
                    "what becomes of a visitor who asks at a gate: one course of questions, each with its answers"),
            Map.entry("core/src/main/java/dev/orderly/room/state/RoomStateMachine.java",
                    "the rules of a room, a method for each request"),
            Map.entry("contracts/src/main/java/dev/orderly/testkit/sim/Visitor.java",
                    "the course of one simulated visitor, step by step"),
            Map.entry("http/src/test/java/dev/orderly/http/tls/Http2ListenerTest.java",
                    "the rules of one protocol, a test for each"),
            Map.entry("spring/src/test/java/dev/orderly/spring/web/ServletPartsTest.java",
                    "the parts of one auto-configuration, each by its properties"),
            Map.entry("http/src/main/java/dev/orderly/http/listener/Exchange.java",
                    "the course of a request, a method for each kind of match"));
    private static final int METHOD_MAX = 70;
    private static final int LINE_MAX = 120;
    /** The first line of a method in the formatter's layout: four or eight blanks, and the opening brace at its end. */
    private static final Pattern RECORD = Pattern.compile(" *((public|private|static) )*record .*");
    private static final Pattern METHOD = Pattern.compile("( {4}| {8})[A-Za-z@<].*\\).*\\{");
    private static final Pattern NO_METHOD = Pattern.compile(
            "\\s*(if|for|while|switch|try|catch|synchronized|return|record|enum|class|interface|new)\\b.*|"
                    + ".* (record|class|interface|enum) .*");
    private static final Pattern TEXT_BLOCK = Pattern.compile("\"{3}");
    private static final Pattern LATER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    /** Otherwise Maven takes a build that it copied before in place of a later one. */
    @Test
    void theVersionOfATreeWithUnreleasedChangesEndsInSnapshot() throws IOException {
        String changes = Files.readString(Checkout.ROOT.resolve("CHANGELOG.md"));
        String unreleased = changes.substring(changes.indexOf("## [Unreleased]"), changes.indexOf("\n## [0"));
        Matcher version = Pattern.compile("(?m)^  <version>(.*)</version>$")
                .matcher(Files.readString(Checkout.ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        if (unreleased.contains("\n- ")) {
            assertThat(version.group(1)).endsWith("-SNAPSHOT");
        } else {
            assertThat(changes).contains("\n## [" + version.group(1).replace("-SNAPSHOT", "") + "] - ");
        }
    }

    @Test
    void noFileHasMoreThanFourHundredLines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : Checkout.sources()) {
            int lines = Files.readAllLines(file).size();
            if (lines > FILE_MAX && !LONGER.containsKey(Checkout.ROOT.relativize(file).toString())) {
                tooLong.add(Checkout.ROOT.relativize(file) + " has " + lines + " lines");
            }
        }
        assertThat(tooLong).as("cut these along a noun, or list those that are one thing with the reason").isEmpty();
    }

    @Test
    void everyLongerFileIsStillLonger() throws IOException {
        for (String file : LONGER.keySet()) {
            assertThat(Files.readAllLines(Checkout.ROOT.resolve(file)).size()).as(file).isGreaterThan(FILE_MAX);
        }
    }

    @Test
    void noMethodHasMoreThanSeventyLines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : Checkout.sources()) {
            List<String> lines = Files.readAllLines(file);
            boolean header = false; // of a record
            for (int i = 0; i < lines.size(); i++) {
                Matcher method = METHOD.matcher(lines.get(i));
                boolean other = NO_METHOD.matcher(lines.get(i)).matches() || header;
                header = !lines.get(i).contains("{") && (header || RECORD.matcher(lines.get(i)).matches());
                if (method.matches() && !other && !lines.get(i).contains("->")) {
                    String end = method.group(1) + "}"; // the body of an enum constant ends in "},"
                    int length = (int) lines.subList(i, lines.size()).stream().takeWhile(line -> !line.startsWith(end))
                            .count() + 1;
                    if (length > METHOD_MAX) {
                        tooLong.add(Checkout.ROOT.relativize(file) + ":" + (i + 1) + " has " + length + " lines");
                    }
                }
            }
        }
        assertThat(tooLong).as("let the parent branch and the leaves compute").isEmpty();
    }

    /** The formatter breaks neither comments nor strings. Text blocks are as wide as their text. */
    @Test
    void noLineIsWiderThanTheFormatterWouldMakeIt() throws IOException {
        List<String> tooWide = new ArrayList<>();
        for (Path file : Checkout.sources()) {
            List<String> lines = Files.readAllLines(file);
            boolean block = false;
            for (int i = 0; i < lines.size(); i++) {
                boolean delimits = TEXT_BLOCK.matcher(lines.get(i)).results().count() % 2 == 1;
                if (!block && !delimits && lines.get(i).length() > LINE_MAX) {
                    tooWide.add(Checkout.ROOT.relativize(file) + ":" + (i + 1));
                }
                block ^= delimits;
            }
        }
        assertThat(tooWide).as("break these lines").isEmpty();
    }

    /** Examples are applications of their own. */
    @Test
    void noTwoTypesOfTheProductHaveTheSameName() throws IOException {
        Map<String, List<String>> files = new TreeMap<>();
        for (Path file : Checkout.sources()) {
            String path = Checkout.ROOT.relativize(file).toString();
            if (path.contains("src/main/java/") && !path.startsWith("examples/") && !path.endsWith("-info.java")) {
                files.computeIfAbsent(path.substring(path.lastIndexOf('/')), _ -> new ArrayList<>()).add(path);
            }
        }
        assertThat(files.values()).hasSizeGreaterThan(1_000).allMatch(same -> same.size() == 1);
    }

    /** The launcher builds without tests, so its modules must not depend on test jars. */
    @Test
    void theModulesOfTheLauncherDependOnNoTestJar() throws IOException {
        for (Path pom : List.of(Checkout.ROOT.resolve("server/pom.xml"), Checkout.ROOT.resolve("http/pom.xml"),
                Checkout.ROOT.resolve("examples/box-office/pom.xml"))) {
            String always = Files.readString(pom).split("<profiles>", 2)[0];
            assertThat(always).as(pom.toString()).doesNotContain("<type>test-jar</type>");
        }
        assertThat(Files.readString(Checkout.ROOT.resolve("orderly"))).contains("-Dmaven.test.skip ");
    }

    @Test
    void noNoteForLaterIsLeft() throws IOException {
        List<String> left = new ArrayList<>();
        for (Path file : Checkout.sources()) {
            if (LATER.matcher(Files.readString(file)).find()) {
                left.add(Checkout.ROOT.relativize(file).toString());
            }
        }
        assertThat(left).as("do it, or write it into an issue").isEmpty();
    }
}
