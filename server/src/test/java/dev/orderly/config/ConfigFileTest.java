package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.config.reader.ReferencePage;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.config.source.ValueOrigin;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest extends ConfigTrial {
    private static final String STORE = "store: sqlite:orderly.db\n";

    ConfigFileTest() {
        super("");
    }

    @Test
    void theSampleIsValidAndReadInFull() {
        Config config = valid(ReferencePage.SAMPLE);

        StoreUrl one = new StoreUrl.Sqlite(folder.resolve("data/orderly.db"));
        assertThat(config.store()).isEqualTo(new StoreConfig(one, one));
        assertThat(config.secretFile()).isEqualTo(folder.resolve("data/secret"));
        assertThat(config.edge()).isEqualTo(new ListenAddress("0.0.0.0", 8080));
        assertThat(config.admin()).isEqualTo(new ListenAddress("127.0.0.1", 8081));
        QueueConfig checkout = config.jobs().queues().get(1);
        assertThat(checkout.name()).isEqualTo(new QueueName("checkout.fifo"));
        assertThat(checkout.handler()).hasToString("http://127.0.0.1:9000/jobs/checkout");
        assertThat(checkout.options().retry()).isEqualTo(RetryPolicy.FIFO);
        RouteConfig route = config.jobs().routes().getFirst();
        assertThat(route.post().text()).isEqualTo("/checkout/{dedupe}");
        assertThat(route.limits().perUser()).hasToString("10 per 60s");
        assertThat(route.accepts()).containsExactly("application/json", "application/x-www-form-urlencoded");
    }

    @Test
    void anAbsentKeyHasTheDefaultOfTheLibrary() {
        Config config = valid(STORE + "queues: { emails: {}, orders.fifo: }");

        assertThat(config.jobs().queues()).extracting(QueueConfig::options)
                .containsExactly(QueueOptions.STANDARD, QueueOptions.FIFO);
        assertThat(config.jobs().stopGrace()).isEqualTo(Duration.ofSeconds(25));
        assertThat(config.log()).isEqualTo(LogFormat.TEXT);
    }

    @Test
    void everySettingOfAQueueIsRead() {
        Config config = valid(STORE + """
                queues:
                  a.fifo: { concurrency: 7, timeout: 250ms, on-dead: halt, max-payload: 1MiB, max-pending: 5,
                            max-leased: 9, content-dedupe: false,
                            retry: { attempts: 3, base: 1s, factor: 1.5, max: 2h, jitter: 0 } }
                """);

        assertThat(config.jobs().queues().getFirst().options()).isEqualTo(QueueOptions.FIFO.withConcurrency(7)
                .withTimeout(Duration.ofMillis(250)).withOnDead(OnDead.HALT).withMaxPayload(1 << 20).withMaxPending(5)
                .withMaxLeased(9).withContentDedupe(false)
                .withRetry(new RetryPolicy(3, Duration.ofSeconds(1), 1.5, Duration.ofHours(2), 0)));
    }

    @Test
    void everyProblemIsListedWithKeyPlaceValueRuleAndRemedy() {
        List<ConfigProblem> problems = problems("""
                store: sqlite:orderly.db
                edge:
                  prot: 8080
                  port: 99999
                queues:
                  emails: { timeout: 5, retries: 3 }
                routes:
                  - { post: "/mail", queue: emals }
                """);

        assertThat(problems).hasSize(5).allSatisfy(problem -> {
            assertThat(problem.origin()).isInstanceOf(ValueOrigin.FileLine.class);
            assertThat(problem.rule()).isNotBlank();
            assertThat(problem.remedy()).isNotBlank();
        });
        assertThat(problems).map(ConfigProblem::toString).satisfiesExactly(
                p -> assertThat(p).contains("line 3", "edge.prot", "did you mean edge.port?"),
                p -> assertThat(p).contains("line 4", "edge.port = \"99999\"", "0 to 65535", "8080"),
                p -> assertThat(p).contains("line 6", "queues.emails.timeout = \"5\"", "with its unit", "5m"),
                p -> assertThat(p).contains("line 6", "queues.emails.retries", "did you mean queues.emails.retry?"),
                p -> assertThat(p).contains("line 8", "routes[1].queue = \"emals\"", "did you mean emails?"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dashboard: {}"})
    void keysOfLaterPartsAreUnknown(String later) {
        assertThat(one(STORE + later).rule()).contains("no such key");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    store: mysql://u:pw@db/x                                     | store              | postgres://USER
                    store: 'sqlite:'                                             | store              | sqlite:
                    edge: 5                                                      | edge               | Keys are expected
                    edge: { port: -1 }                                           | edge.port          | 0 to 65535
                    edge: { port: 08080 }                                        | edge.port          | 0 to 65535
                    edge: { port: }                                              | edge.port          | One value
                    edge: { port: [1] }                                          | edge.port          | One value
                    edge: { port: 7000 }#admin: { port: 7000 }                   | admin.port         | Both listeners
                    admin: { host: 0.0.0.0 }                                     | admin.host         | tokens would be shown
                    queues: [a]                                                  | queues             | Names are expected
                    queues: { 'a b': {} }                                        | queues             | 1 to 80 letters
                    queues: { a: 3 }                                             | queues.a           | Keys are expected
                    queues: { a.fifo: { batch: 2, handler: "http://x/" } }       | queues.a.fifo.batch | one after the other
                    queues: { a: { batch: 2 } }                                  | queues.a.batch     | not POSTed
                    queues: { a: { batch: 2, handler: pull } }                   | queues.a.batch     | not POSTed
                    queues: { a: { batch: 1001, handler: "http://x/" } }         | queues.a.batch     | 1 to 1000
                    queues: { a: { on-dead: halt } }                             | queues.a.on-dead   | no groups
                    queues: { a: { content-dedupe: false } }                     | queues.a.content-dedupe | compares no content
                    queues: { a.fifo: { on-dead: stop } }                        | queues.a.fifo.on-dead | continue or halt
                    queues: { a: { handler: 'ftp://x/' } }                       | queues.a.handler   | http or https
                    queues: { a: { handler: 'http://x/#y' } }                    | queues.a.handler   | without fragment
                    queues: { a: { max-payload: 2MiB } }                         | queues.a.max-payload | 1MiB
                    queues: { a: { retry: { base: 1h, max: 1m } } }              | queues.a.retry.base | longer than the longest
                    queues: { a.fifo: { retry: { base: 10m } } }                 | queues.a.fifo.retry.base | 5m by default
                    queues: { a: { retry: { jitter: 1.5 } } }                    | queues.a.retry.jitter | 0 to 1
                    routes: {}                                                   | routes             | A list
                    routes: [ x ]                                                | routes[1]          | Keys are expected
                    queues: { a: {} }#routes: [ { queue: a } ]                   | routes[1].post     | It is missing
                    queues: { a: {} }#routes: [ { post: a, queue: a } ]          | routes[1].post     | a path whose segments
                    queues: { a: {} }#routes: [ { post: /.orderly/a, queue: a } ] | routes[1].post    | not below /.orderly
                    queues: { a: {} }#routes: [ { post: '/{x}/{x}', queue: a } ] | routes[1].post     | each name once
                    queues: { a.fifo: {} }#routes: [ { post: /a, queue: a.fifo } ] | routes[1].post   | FIFO
                    queues: { a: {} }#routes: [ { post: '/{group}', queue: a } ] | routes[1].post     | standard queue
                    queues: { a: {} }#routes: [ { post: '/{x}', queue: a }, { post: '/{y}', queue: a } ] | routes[2].post | routes[1] takes
                    queues: { a: {} }#routes: [ { post: /a, queue: a, users: none, limit: { per-user: 5 per 1m } } ] | routes[1].limit.per-user | looks at no user
                    queues: { a: {} }#routes: [ { post: /a, queue: a, limit: { per-address: often } } ] | routes[1].limit.per-address | a number of requests
                    queues: { a: {} }#routes: [ { post: /a, queue: a, origins: ["*"] } ] | routes[1].origins[1] | scheme and host
                    queues: { a: {} }#routes: [ { post: /a, queue: a, users: required } ] | routes[1].users | no keys verify
                    queues: { a.fifo: {} }#routes: [ { post: /a, queue: a.fifo, group: user } ] | routes[1].group | every request needs a user
                    queues: { a: {} }#routes: [ { post: /a, queue: a, users: none, group: user } ] | routes[1].group | standard queue
                    queues: { a: {} }#routes: [ { post: /a, queue: b.fifo.fifo } ] | routes[1].queue  | No such queue
                    queues: { a: {} }#routes: [ { post: /a, queue: a, accepts: json } ] | routes[1].accepts | A list
                    queues: { a: {} }#routes: [ { post: /a, queue: a, accepts: [JSON] } ] | routes[1].accepts[1] | application/json
                    keep: { done: 5 weeks }                                      | keep.done          | with its unit
                    log: xml                                                     | log                | text or json
                    log: text#log: json                                          | log                | The key is repeated
                    edge: &x {}                                                  | edge               | Anchors
                    """)
    void aBrokenRuleIsRefused(String yaml, String key, String rule) {
        String store = yaml.startsWith("store") ? "" : STORE;
        assertThat(problems(store + yaml.replace('#', '\n'))).anySatisfy(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.rule()).contains(rule);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a: b: c'   | This is not YAML
            'plain'     | Keys are expected
            '- a'       | Keys are expected
            'a: [1'     | This is not YAML
            """)
    void aFileThatCannotBeReadIsOneProblemWithItsLine(String text, String rule) {
        ConfigProblem problem = one(text);
        assertThat(problem.rule()).contains(rule);
        assertThat(problem.origin()).isInstanceOf(ValueOrigin.FileLine.class);
    }

    @Test
    void aFileThatIsNoYamlIsToldWhatIsWrongWithIt() {
        assertThat(one("store: sqlite:o.db\nedge:\n\tport: 1").rule()).contains("This is not YAML", "(TAB)",
                "indentation");
        assertThat(one("a: b: c").rule()).contains("mapping values are not allowed here");
        assertThat(one("edge: { port: 8080").rule()).contains("expected ',' or '}'");
    }

    @Test
    void aSecondDocumentIsRefused() {
        assertThat(one(STORE + "---\nlog: text").rule()).contains("must be one document");
    }

    @Test
    void aDeepOrLargeFileIsRefused() throws IOException {
        assertThat(one("a: " + "[".repeat(100) + "]".repeat(100)).rule()).contains("not YAML");
        assertThat(one("#".repeat(ConfigFile.SIZE_MAX + 1)).rule()).contains("larger than 1MiB");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(new ConfigFile(folder.resolve("none.yaml"), Map.of()).read()).isInstanceOfSatisfying(
                ConfigResult.Invalid.class, it -> assertThat(it.problems().getFirst().rule()).contains("none.yaml"));
    }

    @Test
    void theEnvironmentOverridesTheFileAndIsNamedWhenWrong() {
        environment.put("ORDERLY_EDGE_PORT", "9000");
        environment.put("ORDERLY_QUEUES_CHECKOUT_FIFO_RETRY_BASE", "3s");
        Config config = valid(ReferencePage.SAMPLE);
        assertThat(config.edge().port()).isEqualTo(9000);
        assertThat(config.jobs().queues().get(1).options().retry().base()).isEqualTo(Duration.ofSeconds(3));

        environment.put("ORDERLY_EDGE_PORT", "tcp://10.0.0.1:80");
        assertThat(one(ReferencePage.SAMPLE).toString()).contains("variable ORDERLY_EDGE_PORT", "edge.port",
                "0 to 65535",
                "enableServiceLinks");
    }

    @Test
    void anUnknownVariableIsRefusedUnlessKubernetesSetsIt() {
        environment.put("ORDERLY_SERVICE_HOST", "10.0.0.1");
        environment.put("ORDERLY_PORT_8080_TCP_ADDR", "10.0.0.1");
        environment.put("ORDERLY_PORT", "tcp://10.0.0.1:8080");
        environment.put("ORDERLY_SECRET", "whsec_x");
        environment.put("PATH", "/bin");
        valid(STORE);

        environment.put("ORDERLY_EGDE_PORT", "1");
        assertThat(one(STORE).toString()).contains("ORDERLY_EGDE_PORT", "did you mean ORDERLY_EDGE_PORT?");
    }

    @Test
    void aVariableThatCouldMeanTwoQueuesIsRefused() {
        environment.put("ORDERLY_QUEUES_A_B_TIMEOUT", "1m");
        assertThat(one(STORE + "queues: { a-b: {}, a_b: {} }").rule()).contains("several queues");
    }

    @Test
    void flagsOverrideTheEnvironmentAndAreNamedWhenWrong() {
        environment.put("ORDERLY_EDGE_PORT", "9000");
        ConfigFile file = file(STORE).override("--port", "edge.port", 0).override("--admin-port", "admin.port", null);
        assertThat(file.read()).isInstanceOfSatisfying(ConfigResult.Valid.class, it -> {
            assertThat(it.config().edge().port()).isZero();
            assertThat(it.config().admin().port()).isEqualTo(8081);
        });
        assertThat(file(STORE).override("--port", "edge.port", 70_000).read()).isInstanceOfSatisfying(
                ConfigResult.Invalid.class,
                it -> assertThat(it.problems().toString()).contains("option --port", "70000"));
    }

    @Test
    void theAddressOfJdbcIsTakenAndItsPasswordIsNotPrinted() {
        Config config = valid("store: 'jdbc:postgresql://db:5432/shop?user=ann&password=hunter2'\n");
        assertThat(config.store().jobs())
                .isEqualTo(new StoreUrl.Postgres("jdbc:postgresql://db:5432/shop?user=ann&password=hunter2"));
        assertThat(config.inForce()).contains("store: jdbc:postgresql://db:5432/shop?***")
                .doesNotContain("hunter2");
        assertThat(problems("store: 'jdbc:mysql://db/x'\n")).first().extracting(ConfigProblem::key).isEqualTo("store");
    }

    @Test
    void noPasswordOfAnAddressIsEverPrinted() {
        assertThat(problems("store: postgre://user:hunter2@db/x?password=hunter2").toString())
                .doesNotContain("hunter2")
                .contains("***");
        Config config = valid(
                "store: { jobs: 'postgres://u:hunter2@db/x', rooms: 'rediss://u:hunter2@cache' }\n"
                        + "queues: { a: { handler: 'http://u:hunter2@h/x?token=hunter2' } }");
        assertThat(config.inForce()).doesNotContain("hunter2").contains("http://***@h/x?***",
                "store: jobs postgres://***@db/x, rooms rediss://***@cache");
    }

    @Test
    void anAbsolutePathStaysAndARelativeOneIsRelativeToTheFile() {
        Path elsewhere = folder.resolve("elsewhere/x.db").toAbsolutePath();
        assertThat(valid("store: sqlite:" + elsewhere).store().jobs()).isEqualTo(new StoreUrl.Sqlite(elsewhere));
        assertThat(valid("store: sqlite:../x.db").store().rooms())
                .isEqualTo(new StoreUrl.Sqlite(folder.resolveSibling("x.db").toAbsolutePath()));
    }

    @Test
    void jobsAndRoomsMayHaveAStoreEach() {
        assertThat(valid("store: { jobs: sqlite:x.db, rooms: 'redis://h:1' }").store()).isEqualTo(
                new StoreConfig(new StoreUrl.Sqlite(folder.resolve("x.db").toAbsolutePath()),
                        new StoreUrl.Redis("redis://h:1")));
        StoreUrl database = new StoreUrl.Postgres("postgresql://h/x");
        for (String one : List.of("'postgresql://h/x'", "{ jobs: 'postgresql://h/x' }",
                "{ rooms: 'postgresql://h/x' }")) {
            assertThat(valid("store: " + one).store()).isEqualTo(new StoreConfig(database, database));
        }
    }

    @Test
    void redisKeepsNoJobs() {
        assertThat(one("store: { rooms: 'redis://h' }")).satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("store.jobs");
            assertThat(problem.toString()).contains("Redis keeps rooms, but neither jobs", "jobs: sqlite:");
        });
        assertThat(one("store: 'redis://h'").toString()).contains("Redis keeps rooms only");
        assertThat(one("store: {}").toString()).contains("Neither jobs nor rooms");
    }

    @Test
    void theVariablesOfTheStoreSetTheWholeOrItsParts() {
        environment.put("ORDERLY_STORE", "postgres://h/x");
        assertThat(valid("store: { jobs: sqlite:x.db }").store().jobs())
                .isEqualTo(new StoreUrl.Postgres("postgres://h/x"));
        environment.remove("ORDERLY_STORE");
        environment.put("ORDERLY_STORE_ROOMS", "redis://h");
        assertThat(valid("store: { jobs: sqlite:x.db }").store().rooms()).isEqualTo(new StoreUrl.Redis("redis://h"));
        assertThat(problems(STORE).toString()).contains("ORDERLY_STORE_ROOMS");
    }

    private ConfigProblem one(String yaml) {
        assertThat(problems(yaml)).hasSize(1);
        return problems(yaml).getFirst();
    }
}
