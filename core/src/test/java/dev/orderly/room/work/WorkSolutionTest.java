package dev.orderly.room.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.VisitorId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Challenges and solutions in the format of ALTCHA, version 2. */
class WorkSolutionTest {
    private static final String NONCE = "000102030405060708090a0b0c0d0e0f";
    /** Of counter 493, by another implementation of PBKDF2: 1,000 rounds, the nonce as the salt. */
    private static final String KEY = "000a2db8fad1d5d3f943f70e8871c0a6b03be1c8e9159ff1627514dc9f83a6b0";
    private static final String PAYLOAD = "{'challenge':{'parameters':{'algorithm':'PBKDF2/SHA-256','cost':1,"
            + "'expiresAt':1791916800,'keyLength':32,'keyPrefix':'','nonce':'" + NONCE + "','salt':'00'},"
            + "'signature':'5e'},'solution':{'counter':493,'derivedKey':'" + KEY + "','time':1.5}}";

    private static String encoded(String payload) {
        return Base64.getEncoder().encodeToString(payload.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static WorkSolution read(String payload) {
        return WorkSolution.read(encoded(payload)).orElseThrow();
    }

    @Test
    void aPayloadOfTheWidgetIsReadAndItsCounterVerifiedWithTheCostOfTheGate() {
        WorkSolution solution = read(PAYLOAD);
        assertThat(solution).isEqualTo(new WorkSolution(VisitorId.of(HexFormat.of().parseHex(NONCE)),
                Instant.ofEpochSecond(1_791_916_800), "5e", 493, KEY));
        assertThat(solution.isRight(1_000)).isTrue();
        assertThat(solution.isRight(999)).isFalse();
        assertThat(read(PAYLOAD.replace(":493", ":494")).isRight(1_000)).isFalse();
        assertThat(read(PAYLOAD.replace("a6b0", "a6b1")).isRight(1_000)).isFalse();
        assertThat(solution).hasToString("WorkSolution[" + solution.id() + "]");
    }

    @Test
    void aChallengeHasTheParametersThatTheWidgetTakes() {
        assertThat(read(PAYLOAD).challenge(5_000).json("5e")).isEqualTo(("{'parameters':{'algorithm':'PBKDF2/SHA-256',"
                + "'cost':5000,'expiresAt':1791916800,'keyLength':32,'keyPrefix':'00','nonce':'" + NONCE + "','salt':'"
                + NONCE + "'},'signature':'5e'}").replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "{'challenge':1,'solution':[]}", "{'challenge'"})
    void anyOtherPayloadIsNone(String payload) {
        assertThat(WorkSolution.read(encoded(payload))).isEmpty();
        assertThat(WorkSolution.read(payload)).isEmpty();
    }

    @Test
    void aPayloadWithAValueOutOfItsBoundsIsNone() {
        for (String[] change : new String[][]{{NONCE, NONCE.substring(2)}, {NONCE, "G" + NONCE.substring(1)},
                {":493", ":-1"}, {":493", ":4294967296"}, {":493", ":'x'"}, {"1791916800", "-5"},
                {"1791916800", "99999999999999"}, {KEY, "01" + KEY.substring(2)}, {KEY, KEY + "00"},
                {"'time':1.5", "'time':'" + "x".repeat(4_096) + "'"}}) {
            assertThat(WorkSolution.read(encoded(PAYLOAD.replace(change[0], change[1])))).as(change[1]).isEmpty();
        }
    }
}
