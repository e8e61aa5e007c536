package dev.orderly.spring.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.spring.event.shop.ShopApplication;
import dev.orderly.spring.event.shop.billing.Invoices;
import dev.orderly.spring.event.shop.order.OrderChanged;
import dev.orderly.spring.event.shop.order.OrderPlaced;
import dev.orderly.spring.event.shop.order.Orders;
import dev.orderly.spring.event.shop.order.ParcelReady;
import dev.orderly.spring.event.shop.shipping.Shipping;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/** Events of a Spring Modulith application as jobs, on one kind of store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ShopContract {
    static final QueueName PLACED = new QueueName("event.invoices.on.OrderPlaced");
    private static final String LISTENER = Invoices.class.getName() + ".on(" + OrderPlaced.class.getName() + ")";
    private static final Duration SOON = Duration.ofMinutes(1);

    private ConfigurableApplicationContext application;
    private Orderly orderly;
    private Orders orders;
    private Invoices invoices;
    private JdbcTemplate jdbc;
    MemoryPublications publications;

    /** The properties that lead to an empty database with the table {@code invoice}. */
    abstract List<String> properties(Path folder) throws Exception;

    /** What the registry contains after an event that was published in a transaction which committed. */
    abstract void checkPublications(String event);

    /** The state of a job right after the commit of its listener's transaction. */
    abstract JobState stateAfterCommit();

    /** The first process publishes and ends before a job has run; the second one goes on. */
    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        List<String> properties = new ArrayList<>(properties(folder));
        properties.addAll(List.of("orderly.events.adopt=true", "orderly.queues[" + PLACED + "].retry.attempts=2",
                "orderly.queues[" + PLACED + "].retry.base=1ms", "orderly.queues[" + PLACED + "].retry.max=1ms"));
        try (ConfigurableApplicationContext first = run(properties, "--orderly.handlers.enabled=false")) {
            first.getBean(Orders.class).publish(List.of(new OrderPlaced("before the crash", "ada"),
                    new ParcelReady("before the crash", 1)), () -> {});
        }
        application = run(properties, "--orderly.handlers.enabled=true");
        orderly = application.getBean(Orderly.class);
        orders = application.getBean(Orders.class);
        invoices = application.getBean(Invoices.class);
        jdbc = application.getBean(JdbcTemplate.class);
        publications = application.getBean(MemoryPublications.class);
    }

    private static ConfigurableApplicationContext run(List<String> properties, String handlers) {
        SpringApplication starting = new SpringApplication(ShopApplication.class);
        starting.setBannerMode(Banner.Mode.OFF);
        return starting.run(Stream.concat(properties.stream().map(each -> "--" + each), Stream.of(handlers,
                "--server.port=0", "--spring.autoconfigure.exclude=")).toArray(String[]::new));
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** The jobs of an event: those that have run, and those that are stored with their payload. */
    private List<JobView> jobs(String event) {
        Stream<JobId> run = invoices.runs().stream().filter(each -> each.event().equals(event))
                .map(Invoices.Run::job);
        Stream<JobId> stored = Stream.of(JobState.values())
                .flatMap(state -> orderly.jobs().list(PLACED, state, null, 500).stream())
                .flatMap(listed -> orderly.jobs().find(listed.id()).stream())
                .filter(job -> job.payload() != null && job.payload().asText().contains('"' + event + '"'))
                .map(JobView::id);
        return Stream.concat(run, stored).distinct().map(id -> orderly.jobs().find(id).orElseThrow()).toList();
    }

    private long invoiced(String id) {
        return Objects.requireNonNull(jdbc.queryForObject("SELECT count(*) FROM invoice WHERE id = ?", Long.class, id));
    }

    private void awaitJobs(String id, JobState state, int count) {
        await().atMost(SOON).until(() -> jobs(id).stream().filter(job -> job.state() == state).count() == count);
    }

    @Test
    void anEventIsAJobOfItsListenerOnceItsTransactionHasCommitted() {
        orders.publish(List.of(new OrderPlaced("one", "ada")), () -> assertThat(jobs("one")).isEmpty());
        awaitJobs("one", JobState.DONE, 1);
        assertThat(invoiced("one")).isEqualTo(1);
        assertThat(invoices.states()).containsEntry("one", stateAfterCommit());
        checkPublications("one");
    }

    @Test
    void anEventOfARollbackIsNoJob() {
        assertThatThrownBy(() -> orders.publish(List.of(new OrderPlaced("undone", "vip"), new ParcelReady("undone", 1)),
                () -> {
                    throw new IllegalStateException("no stock");
                })).hasMessage("no stock");
        orders.publish(List.of(new OrderPlaced("after the rollback", "ada"), new ParcelReady("after it", 1)), () -> {});
        awaitJobs("after the rollback", JobState.DONE, 1);
        await().atMost(SOON).until(() -> application.getBean(Shipping.class).shipped().containsKey("after it"));
        assertThat(jobs("undone")).isEmpty();
        assertThat(invoiced("undone")).isZero();
        assertThat(application.getBean(Shipping.class).shipped()).doesNotContainKey("undone");
    }

    @Test
    void anEventOutsideATransactionReachesNoListenerAsWithoutOrderly() {
        orders.publishWithoutTransaction(new OrderPlaced("outside", "ada"));
        assertThat(jobs("outside")).isEmpty();
    }

    @Test
    void aListenerThatFailsRunsAgainAndItsFirstEffectIsUndone() {
        orders.publish(List.of(new OrderPlaced("stumbles", "ada")), () -> {});
        awaitJobs("stumbles", JobState.DONE, 1);
        assertThat(invoiced("stumbles")).isEqualTo(1);
    }

    @Test
    void aListenerThatGoesOnFailingLeavesADeadLetter() {
        orders.publish(List.of(new OrderPlaced("fails", "ada")), () -> {});
        awaitJobs("fails", JobState.DEAD, 1);
        assertThat(jobs("fails").getFirst().failures()).isEqualTo(2);
        assertThat(invoiced("fails")).isZero();
    }

    @Test
    void equalEventsAreAJobEach() {
        orders.publish(
                List.of(new OrderPlaced("equal", "ada"), new OrderPlaced("equal", "ada"), new ParcelReady("equal",
                        1), new ParcelReady("equal", 1)),
                () -> {});
        awaitJobs("equal", JobState.DONE, 2);
        await().atMost(SOON).untilAsserted(() -> assertThat(application.getBean(Shipping.class).shipped().get("equal"))
                .containsExactly(1, 1));
    }

    @Test
    void eachListenerThatTheEventMeetsHasAJobOfItsOwn() {
        orders.publish(List.of(new OrderPlaced("both", "vip"), new OrderPlaced("one of them", "ada"),
                new OrderChanged.Shipped("sealed", 3)), () -> {});
        awaitJobs("both", JobState.DONE, 1);
        awaitJobs("one of them", JobState.DONE, 1);
        await().atMost(SOON).untilAsserted(() -> assertThat(invoices.changes())
                .contains(new OrderChanged.Shipped("sealed", 3), new OrderChanged.Cancelled("greeted both")));
        assertThat(orderly.jobs().queues()).extracting(status -> status.view().queue().value())
                .contains("event.invoice-changes", "event.invoices.greet.OrderPlaced");
        assertThat(invoices.changes()).doesNotContain(new OrderChanged.Cancelled("greeted one of them"));
    }

    @Test
    void externalizedEventsRunInOrderForEachRoutingKey() {
        IntStream.rangeClosed(1, 9).forEach(number -> orders.publish(List.of(new ParcelReady("ada", number),
                new ParcelReady("bob", number)), () -> {}));
        Shipping shipping = application.getBean(Shipping.class);
        await().atMost(SOON).untilAsserted(() -> assertThat(List.of("ada", "bob")).allSatisfy(customer -> assertThat(
                shipping.shipped().get(customer)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9)));
    }

    @Test
    void whatWasCommittedBeforeACrashRunsAfterTheRestart() {
        awaitJobs("before the crash", JobState.DONE, 1);
        assertThat(invoiced("before the crash")).isEqualTo(1);
        await().atMost(SOON).until(() -> application.getBean(Shipping.class).shipped()
                .containsKey("before the crash"));
    }

    @Test
    void aPublicationThatIsResubmittedBecomesAJobAndIsComplete() {
        TargetEventPublication left = publications.create(TargetEventPublication.of(new OrderPlaced("left over", "ada"),
                PublicationTargetIdentifier.of(LISTENER), Instant.EPOCH));
        application.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(
                publication -> publication.getEvent().equals(left.getEvent()));
        awaitJobs("left over", JobState.DONE, 1);
        assertThat(left.isCompleted()).isTrue();
    }
}
