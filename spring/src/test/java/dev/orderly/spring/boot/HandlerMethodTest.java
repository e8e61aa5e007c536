package dev.orderly.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.JobParam;
import dev.orderly.user.UserId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** What a handler method is given, and which beans its queue makes, in one application on a SQLite file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HandlerMethodTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private ConfigurableApplicationContext application;
    private Orderly orderly;
    private Handlers handlers;
    private Queues queues;

    record Mail(String to) {}

    record Profile(String name) {}

    record Seen(Object payload, Job<?> job, Object more) {}

    static class Handlers {
        final Queue<Seen> seen = new ConcurrentLinkedQueue<>();

        @JobHandler(value = "mails", concurrency = 3, timeout = "7s", retry = @JobHandler.Retry(attempts = 4),
                maxPayload = "2KB")
        String send(Mail mail, Job<?> job, UserId user, @JobParam("campaign") Optional<String> campaign,
                @JobParam Map<String, String> params) {
            seen.add(new Seen(mail, job, List.of(user, campaign, params)));
            return "sent to " + mail.to();
        }

        @JobHandler("update_profile.fifo")
        void update(Optional<UserId> user, Profile profile, Job<?> job) {
            seen.add(new Seen(profile, job, user));
        }

        @JobHandler("${names.of.lists:lists}")
        void list(List<Profile> profiles) {
            seen.add(new Seen(profiles, Job.current(), Orderly.current()));
        }

        @JobHandler("anything")
        void any(Job<?> job) {
            seen.add(new Seen(job.payload(), job, ""));
        }

        @JobHandler("parcels")
        void parcel(Mail mail) {
            seen.add(new Seen(mail, Job.current(), "parcel"));
        }
    }

    /** A bean that the first job creates. */
    static class LazyHandler {
        static final Queue<Integer> SEEN = new ConcurrentLinkedQueue<>();
        static final Queue<String> CREATED = new ConcurrentLinkedQueue<>();

        LazyHandler() {
            CREATED.add("created");
        }

        @JobHandler("numbers")
        void number(int number) {
            SEEN.add(number);
        }
    }

    /** A bean that is declared by an interface without the annotation. */
    interface Work {}

    static class HiddenHandler implements Work {
        static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

        @JobHandler("hidden")
        void hidden(String text) {
            SEEN.add(text);
        }
    }

    record Queues(FifoQueue<Profile> profiles, StandardQueue<List<Profile>> lists, StandardQueue<Mail> mails,
            StandardQueue<Mail> second, StandardQueue<Integer> numbers, StandardQueue<String> own) {}

    @Configuration(proxyBeanMethods = false)
    @Import(OrderlyAutoConfiguration.class)
    static class Application {
        @Bean
        Handlers handlers() {
            return new Handlers();
        }

        @Bean
        @Lazy
        LazyHandler lazyHandler() {
            return new LazyHandler();
        }

        @Bean
        Work hiddenHandler() {
            return new HiddenHandler();
        }

        /** A queue that this application only pushes into. */
        @Bean
        StandardQueue<String> audit(Orderly orderly) {
            return orderly.queue("audit", String.class);
        }

        @Bean
        Queues queues(FifoQueue<Profile> profiles, StandardQueue<List<Profile>> lists,
                @Qualifier("mails") StandardQueue<Mail> mails, @Qualifier("parcels") StandardQueue<Mail> second,
                StandardQueue<Integer> numbers, @Qualifier("audit") StandardQueue<String> audit) {
            return new Queues(profiles, lists, mails, second, numbers, audit);
        }
    }

    @BeforeAll
    void start(@TempDir Path folder) {
        SpringApplication starting = new SpringApplication(Application.class);
        starting.setBannerMode(Banner.Mode.OFF);
        starting.setWebApplicationType(WebApplicationType.NONE);
        application = starting.run("--orderly.store=sqlite:" + folder.resolve("orderly.db"),
                "--orderly.queues.mails.timeout=9s", "--orderly.queues[update_profile.fifo].on-dead=halt",
                "--orderly.queues[update_profile.fifo].content-dedupe=false",
                "--orderly.queues.audit.max-pending=5");
        orderly = application.getBean(Orderly.class);
        handlers = application.getBean(Handlers.class);
        queues = application.getBean(Queues.class);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private Seen seen(Object payload) {
        return await().atMost(SOON).until(() -> handlers.seen.stream()
                .filter(seen -> seen.payload.equals(payload)).findFirst(), Optional::isPresent).orElseThrow();
    }

    @Test
    void aMethodIsGivenPayloadJobUserAndParamsAndItsValueIsTheResult() {
        JobId id = queues.mails.params(Map.of("campaign", "spring")).user(new UserId("ada")).push(new Mail("bob"));

        Seen seen = seen(new Mail("bob"));
        assertThat(seen.job.id()).isEqualTo(id);
        assertThat(seen.more).isEqualTo(List.of(new UserId("ada"), Optional.of("spring"), Map.of("campaign",
                "spring")));
        await().atMost(SOON).until(() -> orderly.jobs().find(id).orElseThrow().state() == JobState.DONE);
        assertThat(Objects.requireNonNull(orderly.jobs().find(id).orElseThrow().result()).asText())
                .isEqualTo("sent to bob");
    }

    @Test
    void aJobWithoutTheUserThatItsMethodNeedsIsADeadLetterThatSaysSo() {
        JobId id = queues.mails.push(new Mail("nobody"));

        await().atMost(SOON).until(() -> orderly.jobs().find(id).orElseThrow().state() == JobState.DEAD);
        assertThat(orderly.jobs().find(id).orElseThrow().toString()).contains("belongs to no user");
    }

    @Test
    void genericPayloadsAndNoPayloadAtAllAreRead() {
        queues.lists.push(List.of(new Profile("a"), new Profile("b")));
        orderly.jobs().push(PushRequest.of("anything", Payload.text("raw")));

        assertThat(seen(List.of(new Profile("a"), new Profile("b"))).more).isSameAs(orderly);
        seen(Payload.text("raw"));
    }

    @Test
    void queuesAreInjectedByTypeOfPayloadByQualifierAndByName() {
        queues.profiles.group("g").push(new Profile("fifo"));
        queues.second.push(new Mail("parcel"));

        assertThat(seen(new Profile("fifo")).job.groupId()).contains("g");
        assertThat(seen(new Mail("parcel")).more).isEqualTo("parcel");
        assertThat(queues.mails.name()).isEqualTo(new QueueName("mails"));
        assertThat(queues.own.name()).isEqualTo(new QueueName("audit"));
        assertThat(application.getBean("updateProfile")).isSameAs(queues.profiles);
    }

    @Test
    void propertiesWinOverAttributesWhichWinOverDefaults() {
        QueueOptions mails = orderly.jobs().options(new QueueName("mails")).orElseThrow();
        assertThat(mails.concurrency()).isEqualTo(3);
        assertThat(mails.timeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(mails.retry().attempts()).isEqualTo(4);
        assertThat(mails.maxPayload()).isEqualTo(2048);
        assertThat(mails.maxPending()).isEqualTo(QueueOptions.STANDARD.maxPending());
        assertThat(orderly.jobs().options(new QueueName("update_profile.fifo")).orElseThrow())
                .isEqualTo(QueueOptions.FIFO.withOnDead(OnDead.HALT).withContentDedupe(false));
        assertThat(orderly.jobs().options(new QueueName("audit")).orElseThrow().maxPending()).isEqualTo(5);
    }

    @Test
    void aLazyBeanIsCreatedByItsFirstJob() {
        assertThat(LazyHandler.CREATED).isEmpty();
        queues.numbers.push(7);
        queues.numbers.push(8);
        await().atMost(SOON).until(() -> LazyHandler.SEEN.size() == 2);
        assertThat(LazyHandler.CREATED).hasSize(1);
    }

    @Test
    void aMethodBehindAnInterfaceIsFoundOnceItsBeanExists() {
        orderly.jobs().push(PushRequest.of("hidden", Payload.text("text")));
        await().atMost(SOON).until(() -> HiddenHandler.SEEN.contains("text"));
    }
}
