package dev.orderly.architecture;

import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.STATIC;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.orderly.Internal;
import dev.orderly.OrderlyException;
import dev.orderly.ProgramVersion;
import dev.orderly.Store;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.time.Time;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The allowed dependencies between parts, and calls that only one part may make. */
class ArchitectureTest {
    private static final int TYPES_MAX = 25;
    /** Packages that are one thing and larger, up to about 40 types, each with its reason. */
    private static final Map<String, String> LARGER = Map.ofEntries(
            Map.entry("/core/target/classes/ dev.orderly.job",
                    "what an application sees of jobs is found in one package, also what answers say"),
            Map.entry("/core/target/classes/ dev.orderly.job.engine",
                    "the engine of jobs: its parts share the running jobs and the queues of a node"),
            Map.entry("/core/target/classes/ dev.orderly.job.store",
                    "the port of jobs, with what its calls say and answer"),
            Map.entry("/core/target/classes/ dev.orderly.live",
                    "what an application sees of connected users, and the engine behind it: one registry"),
            Map.entry("/store-sqlite/target/classes/ dev.orderly.store.sqlite.table",
                    "the statements on the tables of one file, a type for each table"),
            Map.entry("/contracts/target/classes/ dev.orderly.testkit.contract.job",
                    "the contract of one port: a part for each intent"),
            Map.entry("/contracts/target/classes/ dev.orderly.testkit.jobsim",
                    "the parts of one simulation, which share its turns, and of its referee"),
            Map.entry("/contracts/target/classes/ dev.orderly.testkit.sim",
                    "the parts of one simulation, which share its agenda and its clock"),
            Map.entry("/contracts/target/test-classes/ dev.orderly.testkit.contract",
                    "the bugs that the contracts must find, planted in the same way"),
            Map.entry("/store-postgres/target/test-classes/ dev.orderly.store.postgres",
                    "the tests of one store, which share its server"),
            Map.entry("/http/target/classes/ dev.orderly.http.api",
                    "the endpoints of one API, a class for each kind of thing"),
            Map.entry("/http/target/classes/ dev.orderly.http.listener",
                    "the way of a connection from its acceptance to its last answer, whose parts nobody else sees"),
            Map.entry("/http/target/test-classes/ dev.orderly.http",
                    "the calls of one API and one edge on the same node, a test for each kind"),
            Map.entry("/server/target/classes/ dev.orderly.server",
                    "the parts of one program, wired in one file"),
            Map.entry("/server/target/test-classes/ dev.orderly.server",
                    "the program as a whole, a test for each part"),
            Map.entry("/server/target/classes/ dev.orderly.config", "a type for each part of the file"),
            Map.entry("/server/target/classes/ dev.orderly.cli",
                    "a file for each command"),
            Map.entry("/store-postgres/target/classes/ dev.orderly.store.postgres.job",
                    "the statements of one port, which share lanes, locks and columns of the same tables"),
            Map.entry("/store-sqlite/target/test-classes/ dev.orderly.store.sqlite",
                    "the promises of one file"),
            Map.entry("/core-tests/target/test-classes/ dev.orderly.testkit.engine",
                    "the promises of one engine"),
            Map.entry("/core/target/classes/ dev.orderly.room",
                    "what an operator says of a room is found in one package, a type for each part"),
            Map.entry("/contracts/target/classes/ dev.orderly.testkit.contract.room",
                    "one contract: a file for each part, its model and its runs"),
            Map.entry("/http/target/test-classes/ dev.orderly.http.room",
                    "what visitors of rooms meet over HTTP, a file for each feature"),
            Map.entry("/core/target/classes/ dev.orderly.room.gate",
                    "one gate: its parts share its cache of a room, and nobody else sees them"));
    private static final JavaClasses MAIN = Checkout.main();
    private static final JavaClasses ALL = Checkout.all();
    private static final String ANSWER = "an answer that several packages make";
    private static final String SEARCH = "of the port of search, which stores implement";
    /** Public constructors of more than five parameters, each with the reason why no application calls it. */
    private static final String REPORT = "figures to look at, which the command line reads from JSON";
    private static final Map<String, String> LONG_CONSTRUCTORS = Map.ofEntries(
            Map.entry("dev.orderly.history.RoomReport", REPORT),
            Map.entry("dev.orderly.history.RoomReport$Point", REPORT),
            Map.entry("dev.orderly.history.RoomReport$TierVisitors", REPORT),
            Map.entry("dev.orderly.history.RoomReport$Total", REPORT),
            Map.entry("dev.orderly.job.search.DeadLetterGroups$Group", SEARCH),
            Map.entry("dev.orderly.job.search.GroupPage$Group", SEARCH),
            Map.entry("dev.orderly.job.search.JobCandidate", SEARCH),
            Map.entry("dev.orderly.job.search.JobSearch", "narrowed from ALL by its methods; stores take it apart"),
            Map.entry("dev.orderly.job.JobTerms", "what stores keep of a push; applications look at it"),
            Map.entry("dev.orderly.job.settings.QueueOverride", "changed from NONE by its methods"),
            Map.entry("dev.orderly.node.NodeLoad", "a message of nodes, as its parts are written"),
            Map.entry("dev.orderly.node.NodeReport", "a message of nodes, as its parts are written"),
            Map.entry("dev.orderly.web.room.check.CheckPolicy", "changed from its defaults by its methods"),
            Map.entry("dev.orderly.room.Draw", ANSWER),
            Map.entry("dev.orderly.room.Opening", "made by its shorter constructor and drawn"),
            Map.entry("dev.orderly.room.RoomState$TierLine", "a part of a state, which only stores write"),
            Map.entry("dev.orderly.web.room.page.ShownOpening", "what a page shows, which only gates write"),
            Map.entry("dev.orderly.web.room.page.PageView", "what a page shows, which only gates write"),
            Map.entry("dev.orderly.web.room.page.ShownPosition", "what a page shows, which only gates write"),
            Map.entry("dev.orderly.room.RoomState", ANSWER), Map.entry("dev.orderly.room.RoomState$Load", ANSWER),
            Map.entry("dev.orderly.room.gate.VisitorDiagnosis", "an answer of a gate"),
            Map.entry("dev.orderly.schedule.PastRun", ANSWER),
            Map.entry("dev.orderly.schedule.ScheduleState", "of the port of schedules, which stores implement"),
            Map.entry("dev.orderly.web.room.log.VisitorEntry", "a line that a gate hands to the log"));
    private static final String CORE = "dev.orderly";
    /** They measure, check the sources, or have none. */
    private static final Set<String> WITHOUT_RULES = Set.of("bench", "check", "bom");
    /** Loaded by tests that have AssertJ, and by nothing else of the kit. */
    private static final String ASSERTIONS = "dev.orderly.testkit.assertj..";
    private static final String[] SERVER = {"dev.orderly.server..", "dev.orderly.config..", "dev.orderly.cli.."};

    /** What a module sees of the others is in its POM, and needs no rule here. */
    @Test
    void theRulesCoverEveryModule() throws IOException {
        Set<String> modules = Pattern.compile("(?m)^    <module>(.*)</module>$")
                .matcher(Files.readString(Checkout.ROOT.resolve("pom.xml"))).results().map(each -> each.group(1))
                .filter(each -> !WITHOUT_RULES.contains(each)).collect(toCollection(TreeSet::new));
        Set<String> read = ALL.stream().map(type -> Checkout.folder(type).replaceFirst("^/(.*)/target/.*", "$1"))
                .collect(toCollection(TreeSet::new));
        assertThat(read).as("modules whose classes are read").isEqualTo(modules);
    }

    @Test
    void onlyTheAssertionsOfTheKitNeedALibraryForTests() {
        noClasses().that(DescribedPredicate.describe("are of the kit",
                type -> Checkout.folder(type).equals("/testkit/target/classes/"))).and()
                .resideOutsideOfPackage(ASSERTIONS).should().dependOnClassesThat()
                .resideInAnyPackage("org.assertj..", ASSERTIONS).check(MAIN);
    }

    @Test
    void inTheServerModuleTheCommandLineDependsOnTheServerAndTheServerOnTheConfiguration() {
        noClasses().that().resideInAPackage(SERVER[1]).should().dependOnClassesThat()
                .resideInAnyPackage(SERVER[0], SERVER[2]).check(MAIN);
        noClasses().that().resideInAPackage(SERVER[0]).should().dependOnClassesThat().resideInAPackage(SERVER[2])
                .check(MAIN);
    }

    @Test
    void jobAndRoomNeverSeeEachOther() {
        noClasses().that().resideInAPackage("dev.orderly.job..").should().dependOnClassesThat()
                .resideInAPackage("dev.orderly.room..").check(MAIN);
        noClasses().that().resideInAPackage("dev.orderly.room..").should().dependOnClassesThat()
                .resideInAPackage("dev.orderly.job..").allowEmptyShould(true).check(MAIN);
    }

    @Test
    void jobsAndRoomsDependOnNeitherSchedulesNorLiveConnectionsAndTheseOnNoRooms() {
        noClasses().that().resideInAnyPackage("dev.orderly.job..", "dev.orderly.room..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.orderly.schedule..", "dev.orderly.live..").check(MAIN);
        noClasses().that().resideInAnyPackage("dev.orderly.schedule..", "dev.orderly.live..").should()
                .dependOnClassesThat().resideInAPackage("dev.orderly.room..").check(MAIN);
        noClasses().that().resideInAPackage("dev.orderly.user").should()
                .dependOnClassesThat(ours("dev.orderly.user", "dev.orderly.text")).check(MAIN);
    }

    @Test
    void whatLiesUnderEverythingDependsOnLittle() {
        for (String alone : List.of("dev.orderly.about", "dev.orderly.file", "dev.orderly.text")) {
            noClasses().that().resideInAPackage(alone).should().dependOnClassesThat(ours(alone)).check(MAIN);
        }
        noClasses().that().resideInAPackage("dev.orderly.time").should().dependOnClassesThat(ours("dev.orderly.time"))
                .check(MAIN);
        noClasses().that().resideInAPackage("dev.orderly.flow").should()
                .dependOnClassesThat(ours("dev.orderly.time", "dev.orderly.flow", "dev.orderly.text")).check(MAIN);
        noClasses().that().resideInAPackage("dev.orderly.store").should()
                .dependOnClassesThat(ours("dev.orderly.store", "dev.orderly.text")).check(MAIN);
    }

    /** Logins are no operations: they change nothing but the session of their sender. */
    @Test
    void onlyTheTableOfOperationsWritesEntriesOfChanges() {
        noClasses().that().resideOutsideOfPackages("dev.orderly.operate", "dev.orderly.http.login").should()
                .callMethod(AuditLog.class, "record", AuditAct.class, Supplier.class, Function.class).check(MAIN);
    }

    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices().matching("dev.orderly.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void aPackageHasAtMostTwentyFiveTypes() {
        Map<String, Long> types = ALL.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(groupingBy(type -> Checkout.folder(type) + " " + type.getPackageName(), TreeMap::new,
                        counting()));
        assertThat(types.values()).isNotEmpty();
        types.values().removeIf(count -> count <= TYPES_MAX);
        assertThat(LARGER.keySet()).as("waivers of packages that are no larger").isSubsetOf(types.keySet());
        types.keySet().removeAll(LARGER.keySet());
        assertThat(types).as("cut these by feature, or list those that are one thing with the reason").isEmpty();
    }

    /** A part may be added to what applications see, which a constructor of all parts would forbid. */
    @Test
    void whatApplicationsSeeHasNoLongConstructor() {
        Set<String> longer = MAIN.stream().filter(ArchitectureTest::isOfApplications)
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> constructor.getModifiers().contains(JavaModifier.PUBLIC)
                        && constructor.getRawParameterTypes().size() > 5)
                .map(constructor -> constructor.getOwner().getName()).collect(toCollection(TreeSet::new));
        assertThat(LONG_CONSTRUCTORS.keySet()).as("waivers of types without a long constructor").isSubsetOf(longer);
        longer.removeAll(LONG_CONSTRUCTORS.keySet());
        assertThat(longer).as("give these an interface, or a default and withers, and hide the constructor").isEmpty();
    }

    /** Whether applications see a type; authors of stores see its port too. */
    private static boolean isOfApplications(JavaClass type) {
        String name = type.getPackageName();
        return Checkout.isOfApplications(type)
                && !name.endsWith(".store") && !name.startsWith("dev.orderly.store.copy");
    }

    /** One catch finds all of them. */
    @Test
    void whatOrderlyThrowsInAnApplicationHasOneRoot() {
        assertThat(MAIN.stream()
                .filter(type -> type.isAssignableTo(RuntimeException.class)
                        && !type.isAssignableTo(OrderlyException.class))
                .filter(Checkout::isOfApplications)
                .map(JavaClass::getName))
                .as("what Orderly throws; what handlers throw is not")
                .containsExactlyInAnyOrder("dev.orderly.job.RetryLater", "dev.orderly.job.Throttled",
                        "dev.orderly.job.Unprocessable");
    }

    @Test
    void whatIsInternalIsUsedOnlyByItsModuleAndThoseItNames() {
        List<String> strangers = new ArrayList<>();
        int internal = 0;
        for (JavaClass user : MAIN) {
            for (Dependency use : user.getDirectDependenciesFromSelf()) {
                JavaClass used = use.getTargetClass().getBaseComponentType();
                Optional<Internal> rule = Checkout.internal(used);
                internal += rule.isPresent() ? 1 : 0;
                if (rule.isPresent() && !Checkout.folder(user).equals(Checkout.folder(used))
                        && Arrays.stream(rule.get().to()).noneMatch(friend -> isIn(friend, user))) {
                    strangers.add(use.getDescription());
                }
            }
        }
        assertThat(internal).isPositive();
        assertThat(strangers).as("uses of what is internal to another module").isEmpty();
    }

    private static boolean isIn(String root, JavaClass type) {
        return (type.getPackageName() + ".").startsWith(root + ".");
    }

    @Test
    void noPackageHasAMeaninglessName() {
        noClasses().should().resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..model..",
                "..helper..", "..misc..").check(ALL);
    }

    /** One pass over all calls and method references: a rule for each would read them eleven times. */
    @Test
    void onlyTheTimePackageReadsClocksAndSleeps() {
        Set<String> forbidden = Set.of(call(Instant.class, "now"), call(LocalDate.class, "now"),
                call(LocalDateTime.class, "now"), call(ZonedDateTime.class, "now"), call(OffsetDateTime.class, "now"),
                call(System.class, "currentTimeMillis"), call(System.class, "nanoTime"), call(Thread.class, "sleep"),
                call(TimeUnit.class, "sleep"), call(LockSupport.class, "parkNanos"),
                call(LockSupport.class, "parkUntil"));
        assertThat(accesses(type -> true).filter(access -> isForbidden(access, forbidden))).as("the time package's own")
                .isNotEmpty();
        assertThat(accesses(type -> !type.getPackageName().equals("dev.orderly.time"))
                .filter(access -> isForbidden(access, forbidden)).map(JavaAccess::getDescription)).isEmpty();
    }

    private static Stream<JavaAccess<?>> accesses(Predicate<JavaClass> by) {
        return ALL.stream().filter(by).flatMap(type -> type.getAccessesFromSelf().stream());
    }

    private static boolean isForbidden(JavaAccess<?> access, Set<String> forbidden) {
        return access.getTargetOwner().isAssignableTo(Clock.class)
                || forbidden.contains(access.getTargetOwner().getName() + "." + access.getName());
    }

    private static String call(Class<?> owner, String name) {
        return owner.getName() + "." + name;
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses().that().resideOutsideOfPackages("dev.orderly.cli..").should()
                .accessField(System.class, "out").orShould().accessField(System.class, "err")
                .orShould().callMethod(Throwable.class, "printStackTrace").check(MAIN);
    }

    @Test
    void onlyTheCommandLineEndsTheProcess() {
        noClasses().that().resideOutsideOfPackages("dev.orderly.cli..").should()
                .callMethod(System.class, "exit", int.class).orShould().callMethod(Runtime.class, "exit", int.class)
                .orShould().callMethod(Runtime.class, "halt", int.class).check(MAIN);
    }

    @Test
    void nothingIsSynchronized() {
        noMethods().should().haveModifier(SYNCHRONIZED).check(ALL);
    }

    @Test
    void staticFieldsAreFinal() {
        fields().that().haveModifier(STATIC).and().doNotHaveName("$VALUES").and().doNotHaveName("$jacocoData")
                .should().haveModifier(FINAL).check(ALL);
    }

    /**
     * Larger ports: {@link JobStore} has what changes jobs, by workers and by operators, which is one table, and
     * {@link JobViews} the looks at the same table.
     */
    private static final Map<Class<?>, Integer> LARGER_PORTS = Map.of(JobStore.class, 22, JobViews.class, 15);

    @Test
    void aStoreAndThePortsThatItHandsOutHaveAtMostTenMethodsEach() {
        Set<Class<?>> ports = Stream.concat(Stream.of(Store.class),
                Arrays.stream(Store.class.getMethods()).<Class<?>>map(Method::getReturnType)
                        .filter(type -> type.isInterface() && type.getPackageName().startsWith(CORE)))
                .collect(toSet());
        assertThat(ports).contains(JobStore.class, RoomStore.class, CopyPort.class, Time.class);
        for (Class<?> port : ports) {
            // coverage adds synthetic methods, and static ones make a port
            assertThat(port.getDeclaredMethods())
                    .filteredOn(method -> !method.isSynthetic() && !Modifier.isStatic(method.getModifiers()))
                    .as("methods of %s", port).hasSizeLessThanOrEqualTo(LARGER_PORTS.getOrDefault(port, 10));
        }
    }

    /** The copy knows what every part of a store writes; nothing but stores and whoever copies them knows the copy. */
    @Test
    void onlyStoresAndThoseWhoCopyThemKnowTheCopy() {
        noClasses().that().resideOutsideOfPackages("dev.orderly", "dev.orderly.store..", "dev.orderly.testkit..",
                "dev.orderly.server..", "dev.orderly.cli..").should().dependOnClassesThat()
                .resideInAPackage("dev.orderly.store.copy").check(MAIN);
    }

    /** Types of Orderly outside these packages, but the root of exceptions, the mark of a package and the version. */
    private static DescribedPredicate<JavaClass> ours(String... except) {
        return DescribedPredicate.describe("are Orderly's but not of " + List.of(except),
                type -> type.getPackageName().startsWith(CORE) && !List.of(except).contains(type.getPackageName())
                        && Stream.of(OrderlyException.class, Internal.class, ProgramVersion.class)
                                .noneMatch(type::isEquivalentTo));
    }
}
