package dev.orderly.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Handler;
import dev.orderly.job.KeyRule;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.StoreCustomizer;
import dev.orderly.spring.handler.HandlerDecorator;
import dev.orderly.spring.handler.HandlerMethod;
import dev.orderly.spring.handler.TransactionalHandlers;
import dev.orderly.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.annotation.Transactional;

/** How an application starts and stops, and what it says if it cannot start. */
@ExtendWith(OutputCaptureExtension.class)
class StartTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private final AtomicReference<BeanFactory> beans = new AtomicReference<>();

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withInitializer(context -> beans.set(context.getBeanFactory()))
            .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class,
                    OrderlyTransactionAutoConfiguration.class));

    private final ApplicationContextRunner inMemory = bare.withBean(Store.class, MemoryStore::new);

    static class Mailer {
        @JobHandler("mails")
        void send(String mail) {}
    }

    static class Blocking {
        final CountDownLatch began = new CountDownLatch(1);
        final AtomicBoolean ended = new AtomicBoolean();
        final CountDownLatch mayEnd = new CountDownLatch(1);

        @JobHandler("slow")
        void run(String payload) throws InterruptedException {
            began.countDown();
            mayEnd.await();
            ended.set(true);
        }
    }

    static class Misplaced {
        Misplaced(@Qualifier("mials") StandardQueue<String> queue) {}
    }

    static class OtherKind {
        OtherKind(FifoQueue<String> queue) {}
    }

    static class TwoPayloads {
        @JobHandler("two")
        void run(String one, Integer two) {}
    }

    static class Future {
        @JobHandler("future")
        CompletableFuture<String> run(String one) {
            return CompletableFuture.completedFuture(one);
        }
    }

    static class InTransaction {
        @JobHandler(value = "effects", inTransaction = true)
        void run(String one) {}
    }

    static class WrongValues {
        @JobHandler(value = "mails", concurrency = -1, timeout = "9 days", retry = @JobHandler.Retry(base = "2d"))
        void send(String mail) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnQueue {
        @Bean
        StandardQueue<Integer> mails(Orderly orderly) {
            return orderly.queue("mails", Integer.class);
        }
    }

    private String refusal(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        Throwable failure = Objects.requireNonNull(context.getStartupFailure());
        List<FailureAnalyzer> analyzers = List.of(new StartRefusedAnalyzer(),
                new StoreFailureAnalyzer(), new UnknownPropertyAnalyzer(), new MissingQueueAnalyzer(beans.get()));
        FailureAnalysis analysis = analyzers.stream().map(analyzer -> analyzer.analyze(failure))
                .filter(found -> found != null).findFirst().orElseThrow(() -> new AssertionError(failure));
        return analysis.getDescription() + "\n" + analysis.getAction();
    }

    @Test
    void anUnknownQueueInThePropertiesIsRefusedWithTheNameThatWasMeant() {
        inMemory.withBean(Mailer.class).withPropertyValues("orderly.queues.mials.timeout=5m",
                "orderly.queues.orders.timeout=5m").run(
                        context -> assertThat(refusal(context))
                                .contains("orderly.queues.mials: No such queue is declared: did you mean mails?")
                                .contains("orderly.queues.orders: No such queue is declared: write a @JobHandler("));
    }

    @Test
    void anUnknownQueueAtAnInjectionPointIsRefusedWithTheNameThatWasMeant() {
        inMemory.withBean(Mailer.class).withBean(Misplaced.class).run(context -> assertThat(refusal(context))
                .contains("required a StandardQueue<String> called mials").contains("Did you mean mails?"));
        inMemory.withBean(Mailer.class).withBean(OtherKind.class).run(context -> assertThat(refusal(context))
                .contains("required a FifoQueue<String>").contains("[mails]").contains("orderly.fifo("));
    }

    static class Exporter {
        @JobHandler(value = "exports", limit = "crm", key = "params.tenant")
        void export(String text) {}
    }

    @Test
    void aHandlerNamesALimitAndTheKeyOfItsJobs() {
        inMemory.withBean(Exporter.class).withPropertyValues("orderly.limits.crm.concurrency=5",
                "orderly.queues.exports.per-key.concurrency=2", "orderly.queues.exports.per-key.rate=60 per 1m",
                "orderly.queues.exports.per-key.max-pending=500", "orderly.queues.exports.per-key.share=50%")
                .run(context -> {
                    QueueOptions options = context.getBean(Orderly.class).jobs().options(new QueueName("exports"))
                            .orElseThrow();
                    assertThat(options.limitName()).contains(new LimitName("crm"));
                    assertThat(options.key()).contains(KeyRule.parse("params.tenant"));
                    assertThat(options.keyMaxPending()).hasValue(500);
                    assertThat(options.perKey())
                            .contains(Limit.concurrency(2).rate(60, Duration.ofMinutes(1)).share(50));
                });
        inMemory.withBean(Exporter.class).withPropertyValues("orderly.limits.crm.rate=many",
                "orderly.queues.exports.key=tenant").run(
                        context -> assertThat(refusal(context))
                                .contains("orderly.limits.crm: \"many\" is no rate"));
        inMemory.withBean(Exporter.class)
                .withPropertyValues("orderly.limits.crm.concurrency=5", "orderly.queues.exports.per-key.share=half")
                .run(context -> assertThat(refusal(context)).contains("\"half\" is no share: use a percentage"));
    }

    static class SeparateCommits {
        @Transactional
        @JobHandler("payments")
        public void book(String payment) {}

        @JobHandler("mails")
        public void send(String mail) {}

        @Transactional
        @JobHandler(value = "refunds", inTransaction = true)
        public void refund(String payment) {}
    }

    private record Joining(boolean isPossible) implements TransactionalHandlers {
        @Override
        public Handler<Object> inTransaction(HandlerMethod method, Handler<Object> handler) {
            return handler;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHandlerThatCommitsBeforeItsJobIsCompletedIsNamedOnceAtTheStart(boolean possible, CapturedOutput output) {
        inMemory.withBean(SeparateCommits.class)
                .withBean(TransactionalHandlers.class, () -> new Joining(possible)).run(context -> {
                    assertThat(context).hasNotFailed();
                    List<String> warned = output.getAll().lines().filter(line -> line.contains("inTransaction = true"))
                            .toList();
                    assertThat(warned).hasSize(possible ? 1 : 0).allSatisfy(
                            line -> assertThat(line)
                                    .contains("@JobHandler SeparateCommits.book: @Transactional commits"));
                });
    }

    @Test
    void everyWrongValueIsNamedInTheWordsOfTheServersConfiguration() {
        inMemory.withBean(WrongValues.class).withPropertyValues("orderly.queues.mails.max-payload=2MB",
                "orderly.queues.mails.on-dead=halt", "orderly.queues.mails.retry.attempts=0",
                "orderly.queues.mails.unreadable-for=8d", "orderly.queues.mails.content-dedupe=false")
                .run(context -> assertThat(refusal(context))
                        .contains("There are 8 problems")
                        .contains("orderly.queues.mails: Queue option unreadableFor is 8 d: use 0 to 7 days")
                        .contains("@JobHandler WrongValues.send: Queue option concurrency is -1: use 1 to 100000")
                        .contains("@JobHandler WrongValues.send: '9 days' is not a valid duration")
                        .contains("Retry base is 2 d: use above 0, at most max (6 h)")
                        .contains("orderly.queues.mails: Queue option maxPayload is 2097152: use 1 to 1048576")
                        .contains("orderly.queues.mails: A standard queue has no groups to halt")
                        .contains("orderly.queues.mails: A standard queue compares no content")
                        .contains("orderly.queues.mails: Retry attempts is 0: use 1 to 1000"));
        inMemory.withPropertyValues("orderly.stop-grace=2h", "orderly.keep.done=0s", "orderly.claim-bytes=1KB",
                "orderly.live.connections=0", "orderly.public-url=jobs.example.com")
                .run(context -> assertThat(refusal(context)).contains("orderly.stop-grace = PT2H: It has to be a time"
                        + " with its unit (ms, s, m, h, d), 0s to 1h").contains("orderly.keep.done")
                        .contains("orderly.live: Live connections: 0, use 1 to 1000000")
                        .contains("claimBytes is 1024: use at least 1048576")
                        .contains("orderly.public-url: The public URL is jobs.example.com: use the address"));
    }

    @Test
    void aMethodThatCannotBeAHandlerIsRefused() {
        inMemory.withBean(TwoPayloads.class).run(context -> assertThat(refusal(context))
                .contains("TwoPayloads.run").contains("would all be the payload"));
        inMemory.withBean(Future.class).run(context -> assertThat(refusal(context))
                .contains("returns a CompletableFuture"));
        inMemory.withBean(InTransaction.class).run(context -> assertThat(refusal(context))
                .contains("InTransaction.run has inTransaction = true"));
        inMemory.withBean("one", Mailer.class).withBean("two", Mailer.class).run(context -> assertThat(
                refusal(context)).contains("Queue mails has two handlers").contains("bean one").contains("bean two"));
        inMemory.withBean(Mailer.class).withUserConfiguration(OwnQueue.class).run(context -> assertThat(
                refusal(context)).contains("Mailer.send").contains("is declared twice"));
    }

    @Test
    void aMissingOrTakenStoreIsExplained() {
        String file = "orderly.store=sqlite:" + folder.resolve("a.db");
        bare.withPropertyValues(file).run(first -> bare.withPropertyValues(file).run(second -> assertThat(
                refusal(second)).contains("Another Orderly process").contains("then start again")));
        bare.withPropertyValues("orderly.store=sqlite:" + folder).run(context -> assertThat(refusal(context))
                .contains("The store of Orderly does not open"));
        bare.withPropertyValues("orderly.store=datasource").run(context -> assertThat(refusal(context))
                .contains("there is no data source"));
        bare.withPropertyValues("orderly.store=redis://x").run(context -> assertThat(refusal(context))
                .contains("none of datasource, sqlite:PATH and postgres://"));
    }

    @Test
    void severalDataSourcesNeedAChoice() {
        bare.withBean("one", DataSource.class, SimpleDriverDataSource::new)
                .withBean("two", DataSource.class, SimpleDriverDataSource::new)
                .run(context -> assertThat(refusal(context)).contains("several data sources").contains("@Primary"));
    }

    @Test
    void settingsOfTheApplicationsSessionsAreNotThoseOfOrderlys() {
        assertThat(new DataSourceAddress("jdbc:postgresql://db/shop?currentSchema=shop&sslmode=require&options=-c%20x",
                null, null).withoutSession()).isEqualTo("jdbc:postgresql://db/shop?sslmode=require");
        assertThat(new DataSourceAddress("jdbc:postgresql://db/shop?currentSchema=shop", null, null).withoutSession())
                .isEqualTo("jdbc:postgresql://db/shop");
    }

    @Test
    void aMisspeltPropertyIsRefused() {
        inMemory.withBean(Mailer.class).withPropertyValues("orderly.stop-gracee=5s", "orderly.queues.mails.timeot=5s",
                "orderly.rooms.sale.capacty=3", "orderly.rooms.sale.title=The sale", "orderly.rooms.sale.page.txt=Soon",
                "orderly.nothing.like.it=1",
                "orderly.queues.update.fifo.retry.base=5s").run(
                        context -> assertThat(refusal(context))
                                .contains("orderly.stop-gracee: There is no such property in this version")
                                .contains("orderly.stop-gracee: did you mean orderly.stop-grace?")
                                .contains("did you mean orderly.queues.mails.timeout?")
                                .contains("did you mean orderly.rooms.sale.capacity?")
                                .contains("orderly.rooms.sale.title: did you mean orderly.rooms.sale.page.title?")
                                .contains("did you mean orderly.rooms.sale.page.text?")
                                .contains("orderly.nothing.like.it: remove it; docs/spring.md lists the properties")
                                .contains("in brackets: orderly.queues[update.fifo].retry.base"));
    }

    @Test
    void eachPartCanBeSwitchedOffAndReplaced() {
        inMemory.withPropertyValues("orderly.enabled=false").run(context -> assertThat(context)
                .doesNotHaveBean(Orderly.class));
        inMemory.withBean(Mailer.class).withPropertyValues("orderly.handlers.enabled=false").run(context -> {
            assertThat(context).hasSingleBean(StandardQueue.class);
            assertThat(context.getBean(Orderly.class).jobs().queues().getFirst().handled()).isFalse();
        });
        Orderly own = Orderly.open(new MemoryStore());
        inMemory.withBean(Orderly.class, () -> own).run(context -> assertThat(context.getBean(Orderly.class))
                .isSameAs(own));
    }

    @Test
    void customizersAndDecoratorsRunInTheirOrderAroundWhatIsConfigured() {
        Queue<String> calls = new ConcurrentLinkedQueue<>();
        inMemory.withBean(Mailer.class)
                .withBean("engine", EngineCustomizer.class, () -> options -> options.withStopGrace(Duration.ZERO))
                .withBean("storeCustomizer", StoreCustomizer.class, () -> store -> {
                    calls.add("store");
                    return store;
                })
                .withBean("outer", HandlerDecorator.class, () -> new Outer(calls))
                .withBean("inner", HandlerDecorator.class, () -> (method, handler) -> (payload, job) -> {
                    calls.add("inner of " + method.queue());
                    handler.handle(payload, job);
                }).run(context -> {
                    context.getBean(Orderly.class).jobs().push(PushRequest.of("mails", Payload.text("x")));
                    await().atMost(SOON).until(() -> calls.size() == 3);
                    assertThat(calls).containsExactly("store", "outer", "inner of mails");
                });
    }

    /** Comes before decorators without an order. */
    record Outer(Queue<String> calls) implements HandlerDecorator, Ordered {
        @Override
        public int getOrder() {
            return 1;
        }

        @Override
        public Handler<Object> decorate(HandlerMethod method, Handler<Object> handler) {
            return (payload, job) -> {
                calls.add("outer");
                handler.handle(payload, job);
            };
        }
    }

    @Test
    void lazyInitializationStartsHandlersAllTheSame() {
        inMemory.withBean(Blocking.class).withInitializer(context -> context.addBeanFactoryPostProcessor(
                new LazyInitializationBeanFactoryPostProcessor())).run(context -> {
                    Orderly orderly = context.getBean(Orderly.class);
                    orderly.jobs().push(PushRequest.of("slow", Payload.text("x")));
                    context.getBean(Blocking.class).mayEnd.countDown();
                    await().atMost(SOON).until(context.getBean(Blocking.class).ended::get);
                });
    }

    @Test
    void aStopWaitsForRunningHandlersAndThenClosesTheStore() {
        Blocking handler = new Blocking();
        bare.withPropertyValues("orderly.store=sqlite:" + folder.resolve("stop.db"))
                .withBean(Blocking.class, () -> handler).run(context -> {
                    assertThat(context.getBean(OrderlyLifecycle.class).getPhase())
                            .isLessThan(Integer.MAX_VALUE - 2048);
                    context.getBean(Orderly.class).jobs().push(PushRequest.of("slow",
                            Payload.text("x")));
                    handler.began.await();
                    Thread release = Thread.ofVirtual().unstarted(handler.mayEnd::countDown);
                    release.start();
                });
        assertThat(handler.ended).isTrue();
        bare.withPropertyValues("orderly.store=sqlite:" + folder.resolve("stop.db"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStoppedContextDoesNotStartAgain() {
        inMemory.run(context -> {
            OrderlyLifecycle lifecycle = context.getBean(OrderlyLifecycle.class);
            lifecycle.stop();
            lifecycle.stop();
            assertThat(Assertions.catchThrowable(lifecycle::start))
                    .isInstanceOf(StartRefusedException.class);
        });
    }
}
