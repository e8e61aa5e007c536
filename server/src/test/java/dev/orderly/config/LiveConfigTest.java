package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveConfigTest extends ConfigTrial {
    private static final String USERS = "users: { jwt: { secret-env: JWT } }\nqueues: { chat: {}, moves.fifo: {} }\n";

    LiveConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void withoutALiveSectionUsersOnlyReceive() {
        assertThat(valid(USERS).live()).isEqualTo(new LiveConfig(LiveOptions.DEFAULT, null));
    }

    @Test
    void everySettingOfLiveConnectionsIsReadAndLogged() {
        Config config = valid(
                USERS + """
                        live: { queue: moves.fifo, group: user, connections-per-user: 3, connections-per-address: 30, messages: 5 per 2s }
                        """);
        assertThat(config.live()).isEqualTo(new LiveConfig(LiveOptions.DEFAULT.withConnectionsPerUser(3)
                .withConnectionsPerAddress(30).withMessages(5, Duration.ofSeconds(2)), new QueueName("moves.fifo")));
        assertThat(config.inForce()).contains(
                "live: messages to queue moves.fifo, 5 per 2s, connections 3 a user, 30 an address");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    live: { queue: moves.fifo }              | live.queue                | needs a group
                    live: { queue: chat, group: user }       | live.group                | FIFO
                    live: { group: user }                    | live.group                | FIFO
                    live: { queue: chats }                   | live.queue                | No such queue
                    live: { connections-per-user: 0 }        | live.connections-per-user | 1 to
                    live: { messages: 20001 per 1s }         | live.messages             | at most 10000
                    live: { quene: chat }                    | live.quene                | no such key
                    """)
    void anInvalidLiveSettingIsRefused(String yaml, String key, String rule) {
        assertThat(problems(USERS + yaml)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.rule()).containsIgnoringCase(rule);
        });
    }

    @Test
    void liveConnectionsWithoutUsersAreRefusedWithARemedy() {
        assertThat(problems("queues: { chat: {} }\nlive: { queue: chat }\n")).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("live");
            assertThat(problem.remedy()).contains("users.jwt");
        });
    }
}
