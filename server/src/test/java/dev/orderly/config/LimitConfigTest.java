package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.KeyRule;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of jobs in the file. */
class LimitConfigTest extends ConfigTrial {
    LimitConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void aQueueNamesALimitOrHasOneForItself() {
        Config config = valid("""
                limits:
                  crm-api: { concurrency: 20, rate: 100 per 10s }
                  mail-api: { rate: 5 per 1500ms }
                queues:
                  contacts: { limit: crm-api }
                  nightly: { limit: { concurrency: 1 } }
                  free: {}
                """);
        assertThat(config.jobs().limits()).containsOnlyKeys(new LimitName("crm-api"), new LimitName("mail-api"))
                .containsEntry(new LimitName("crm-api"), Limit.concurrency(20).rate(100, Duration.ofSeconds(10)))
                .containsEntry(new LimitName("mail-api"), Limit.of(5, Duration.ofMillis(1_500)));
        assertThat(config.jobs().queues().get(0).options().limitName()).contains(new LimitName("crm-api"));
        assertThat(config.jobs().queues().get(0).options().limit()).isEmpty();
        assertThat(config.jobs().queues().get(1).options().limit()).contains(Limit.concurrency(1));
        assertThat(config.jobs().queues().get(2).options().limit()).isEmpty();
        assertThat(config.inForce()).contains("limit crm-api: concurrency 20, rate 100 per 10s")
                .containsPattern("queue contacts: .*, limit crm-api\\n")
                .containsPattern("queue nightly: .*, limit of concurrency 1\\n");
    }

    @Test
    void aQueueHasKeysAndALimitOfEach() {
        Config config = valid("""
                queues:
                  exports: { key: params.tenant, per-key: { concurrency: 2, rate: 60 per 60s } }
                  mails: { key: "payload:/customer/id" }
                  pings: { key: user, per-key: { max-pending: 500 } }
                  steps.fifo: { per-key: { rate: 5 per 1s, max-pending: 50 } }
                  shared: { limit: { concurrency: 20 }, key: user, per-key: { share: 50% } }
                  both: { limit: { concurrency: 20 }, key: user, per-key: { share: 1%, concurrency: 3 } }
                """);
        assertThat(config.jobs().queues().get(0).options().key()).contains(KeyRule.parse("params.tenant"));
        assertThat(config.jobs().queues().get(0).options().perKey())
                .contains(Limit.concurrency(2).rate(60, Duration.ofMinutes(1)));
        assertThat(config.jobs().queues().get(1).options().perKey()).isEmpty();
        assertThat(config.jobs().queues().get(1).options().keyMaxPending()).isEmpty();
        assertThat(config.jobs().queues().get(2).options().keyMaxPending()).hasValue(500);
        assertThat(config.jobs().queues().get(2).options().perKey()).isEmpty();
        assertThat(config.jobs().queues().get(3).options().perKey()).contains(Limit.of(5, Duration.ofSeconds(1)));
        assertThat(config.jobs().queues().get(3).options().keyMaxPending()).hasValue(50);
        assertThat(config.jobs().queues().get(4).options().perKey()).contains(Limit.ofShare(50));
        assertThat(config.jobs().queues().get(5).options().perKey()).contains(Limit.concurrency(3).share(1));
        assertThat(config.inForce())
                .containsPattern("queue exports: .*, key params.tenant, per key concurrency 2, rate 60 per 60s\\n")
                .containsPattern("queue mails: .*, key payload:/customer/id\\n")
                .containsPattern("queue pings: .*, key user, max-pending of a key 500\\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "limits: { crm: {} }|bounds nothing",
            "limits: { crm: { concurrency: 0 } }|1 to 10000",
            "limits: { crm: { rate: 5 } }|a number of jobs",
            "limits: { crm: { rate: 5 per 1ms } }|1s to 31d",
            "limits: { 'a:b': { concurrency: 1 } }|name of a limit",
            "queues: { mails: { limit: crm } }|No such limit is declared under limits",
            "queues: { mails: { limit: { concurrency: many } } }|1 to 10000",
            "queues: { mails: { key: tenant } }|params.NAME",
            "queues: { mails.fifo: { key: user } }|groups as keys",
            "queues: { mails.fifo: { per-key: { concurrency: 2 } } }|One job of each group",
            "queues: { mails.fifo: { limit: { concurrency: 9 }, per-key: { share: 50% } } }|One job of each group",
            "queues: { mails: { key: user, per-key: { share: 50% } } }|no limit with a concurrency",
            "queues: { mails: { limit: { rate: 5 per 1s }, key: user, per-key: { share: 50% } } }|with a concurrency",
            "queues: { mails: { limit: { concurrency: 9 }, key: user, per-key: { share: 101% } } }|1% to 100%",
            "queues: { mails: { limit: { concurrency: 9, share: 50% } } }|share",
            "queues: { mails: { per-key: { concurrency: 2 } } }|has no key",
            "queues: { mails: { key: user, per-key: { max-pending: 0 } } }|1 to 100000",
            "queues: { mails: { key: user, per-key: {} } }|bounds nothing"})
    void aLimitThatBreaksARuleIsRefusedWithTheRule(String yaml, String rule) {
        assertThat(problems(yaml)).singleElement().satisfies(
                problem -> assertThat(problem.toString()).contains(rule));
    }

    @Test
    void aMisspeltLimitIsNamed() {
        assertThat(problems("limits: { crm-api: { concurrency: 1 } }\nqueues: { mails: { limit: crm-apu } }"))
                .singleElement().satisfies(problem -> assertThat(problem.remedy()).contains("did you mean crm-api?"));
    }
}
