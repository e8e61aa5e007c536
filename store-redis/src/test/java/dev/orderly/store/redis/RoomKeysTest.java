package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.store.redis.Gate.Person;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contents of the keys of a room. */
class RoomKeysTest {
    private final RedisOptions options = Server.fresh();
    private final RedisStore redis = Server.open(options);
    private final Gate gate = Gate.at("gate", redis);
    private final String[] keys = new RoomKeys(options.prefix()).of(Gate.SALE);

    @AfterEach
    void close() {
        redis.close();
        Server.clean(options);
    }

    @Test
    void placesTooLargeForLuasOwnFormatStayExact() {
        long far = (1L << 53) - 1_000;
        gate.covers(Gate.NOW);
        Server.shared().hset(keys[0], "length", Long.toString(far));
        Server.shared().hset(keys[0], "cursor", Long.toString(far + 1));
        List<Person> line = gate.join(3, Duration.ofHours(1), Gate.NOW);
        assertThat(line).extracting(Person::place).containsExactly(far + 1, far + 2, far + 3);
        gate.govern(new Limits(1, null), 10, Gate.NOW);
        assertThat(gate.admit(line.subList(0, 1), Gate.NOW)).hasOnlyElementsOfType(AdmissionResult.Entered.class);
        assertThat(gate.covers(Gate.NOW).line().length()).isEqualTo(far + 3);
    }

    @Test
    void usedUpTicketsAreForgottenAfterTheyHaveExpired() {
        gate.covers(Gate.NOW);
        List<Person> line = gate.join(600, Duration.ZERO, Gate.NOW);
        gate.govern(Limits.NONE, 10, Gate.NOW);
        gate.admit(line, Gate.NOW);
        assertThat(Server.shared().hlen(keys[4])).as("chunks of 256").isEqualTo(3);
        Instant expired = Gate.NOW.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(5));
        gate.govern(Limits.NONE, 10, expired);
        assertThat(Server.shared().hlen(keys[4])).isEqualTo(3);
        gate.govern(Limits.NONE, 10, expired.plusMillis(1));
        assertThat(Server.shared().exists(keys[4], keys[5])).isZero();
    }
}
