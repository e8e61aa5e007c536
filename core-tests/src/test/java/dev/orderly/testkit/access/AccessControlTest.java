package dev.orderly.testkit.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.control.Credential;
import dev.orderly.access.control.LocalCredential;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessControlTest {
    private static final TokenName CI = new TokenName("ci");
    private static final RandomGenerator RANDOM = new Random(7);

    private final ManualTime time = new ManualTime();
    private final FaultyStore store = new FaultyStore(new MemoryStore(time));
    private final AccessControl here = control();
    private final AccessControl there = control();

    private AccessControl control() {
        return new AccessControl(store.credentials(), store.audit(), time, AccessOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Credential token(@Nullable Instant ends) {
        TokenSecret secret = TokenSecret.random(RANDOM);
        here.create(new AccessToken(CI, Role.OPERATOR, Set.of(), time.now(), ends), secret);
        return Credential.Token.of(secret.text()).orElseThrow();
    }

    /** Lets the next question to the store begin, which waits for its turn. */
    private void pass(Duration span) {
        time.advance(span);
    }

    private List<AuditEntry> logins() {
        return store.audit().list(new AuditQuery(null, null, "login", null, null, null, 1_000));
    }

    @Test
    void failedLoginsOfAnAddressAreCountedAndRecordedOnceAMinuteThenLessOften() {
        here.start();
        for (int n = 0; n < 1_000; n++) {
            here.audit().failedLogin("192.0.2.1");
        }
        assertThat(logins()).singleElement()
                .satisfies(entry -> assertThat(entry.after()).startsWith("1 token"));
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            time.advance(Duration.ofMinutes(1));
            return logins().size() == 2;
        });
        assertThat(logins().getFirst().after()).startsWith("999 tokens");
        assertThat(logins()).allSatisfy(entry -> assertThat(entry.act().address()).isEqualTo("192.0.2.1"));
        here.close();
    }

    @Test
    void aFloodOfFailedLoginsFromEverywhereHasABoundedNumberOfEntriesWhoseNumbersAddUp() {
        for (int n = 0; n < 5_000; n++) {
            here.audit().failedLogin("192.0.2." + n);
        }
        here.close();
        assertThat(logins()).hasSizeLessThan(30);
        assertThat(logins().stream().mapToInt(entry -> Integer.parseInt(String.valueOf(entry.after()).split(" ", 2)[0]))
                .sum()).isEqualTo(5_000);
    }

    @Test
    void aFailedLoginWithoutAnEntryIsRefusedAllTheSame() {
        store.failNext(Call.AUDIT_APPEND, Fault.BEFORE, 1);
        here.audit().failedLogin("192.0.2.1");
        assertThat(logins()).isEmpty();
    }

    @Test
    void aTokenHasAPrefixAChecksumAnd256RandomBits() {
        TokenSecret secret = TokenSecret.random(RANDOM);
        assertThat(secret.text()).matches("orderly_[0-9A-Za-z]{49}");
        assertThat(TokenSecret.hashOf(secret.text())).contains(secret.hash());
        assertThat(secret.toString()).doesNotContain(secret.text().substring(10));
        String text = secret.text();
        char other = text.charAt(20) == 'x' ? 'y' : 'x';
        assertThat(TokenSecret.hashOf(text.substring(0, 20) + other + text.substring(21))).isEmpty();
        assertThat(TokenSecret.hashOf(text + "0")).isEmpty();
        assertThat(TokenSecret.hashOf("")).isEmpty();
    }

    @Test
    void theSameKeyMakesTheSameSecretOfTheFormOfAToken() {
        byte[] key = new byte[32];
        new Random(3).nextBytes(key);
        TokenSecret secret = TokenSecret.of(key);
        assertThat(TokenSecret.of(key.clone()).text()).isEqualTo(secret.text());
        assertThat(TokenSecret.hashOf(secret.text())).contains(secret.hash());
        assertThat(TokenSecret.hashOf(TokenSecret.of(new byte[32]).text())).isPresent();
        assertThatThrownBy(() -> TokenSecret.of(new byte[31])).hasMessageContaining("31").hasMessageContaining("32");
    }

    @Test
    void theLocalCredentialAndItsSessionsCountWithoutTheStore() {
        TokenSecret own = TokenSecret.random(RANDOM);
        AccessControl local = new AccessControl(store.credentials(), store.audit(), time, AccessOptions.DEFAULT,
                LocalCredential.of(List.of(own)));
        store.failNext(Call.CREDENTIAL_READ, Fault.BEFORE, 100);
        Credential token = Credential.Token.of(own.text()).orElseThrow();
        Identity identity = local.known(token).orElseThrow();
        assertThat(identity.role()).isEqualTo(Role.ADMIN);
        assertThat(identity.kind()).isEqualTo(Identity.Kind.LOCAL);
        Credential session = Credential.Session.of(local.open(identity, RANDOM).orElseThrow());
        assertThat(local.known(session)).contains(identity);
        local.close(session);
        assertThat(local.known(session)).isEmpty();
        assertThat(here.known(token)).as("without a local credential").isEmpty();
    }

    @Test
    void aLocalSessionEndsWithItsIdleTimeAndWithItsLife() {
        AccessControl local = new AccessControl(store.credentials(), store.audit(), time, AccessOptions.DEFAULT,
                LocalCredential.of(List.of(TokenSecret.random(RANDOM))));
        Identity identity = new Identity(Identity.Kind.LOCAL, "me", Role.ADMIN);
        Credential idle = Credential.Session.of(local.open(identity, RANDOM).orElseThrow());
        Credential used = Credential.Session.of(local.open(identity, RANDOM).orElseThrow());
        Duration most = AccessOptions.DEFAULT.sessionMost();
        Duration step = AccessOptions.DEFAULT.sessionIdle().minusMillis(1);
        for (Duration passed = step; passed.compareTo(most) < 0; passed = passed.plus(step)) {
            pass(step);
            assertThat(local.known(used)).as("after %s", passed).isPresent();
        }
        assertThat(local.known(idle)).as("unused for hours").isEmpty();
        pass(step);
        assertThat(local.known(used)).as("older than a session may be").isEmpty();
    }

    @Test
    void aVerifiedTokenCountsWithoutTheStoreForTwoSecondsOnly() {
        Credential token = token(null);
        assertThat(here.known(token)).isEmpty();
        assertThat(here.verify(token)).map(Identity::name).contains("ci");
        store.failNext(Call.CREDENTIAL_READ, Fault.BEFORE, 100);
        pass(AccessControl.FRESH);
        assertThat(here.known(token)).isPresent();
        pass(Duration.ofMillis(1));
        assertThat(here.known(token)).isEmpty();
    }

    @Test
    void aRevokedTokenEndsAtOnceHereAndWithinTwoSecondsOnEveryOtherNode() {
        Credential token = token(null);
        there.verify(token);
        here.verify(token);
        pass(Duration.ofMillis(200));
        assertThat(here.revoke(CI)).isTrue();
        assertThat(here.verify(token)).isEmpty();
        assertThat(there.known(token)).as("for a moment").isPresent();
        pass(AccessControl.FRESH.plusMillis(1));
        assertThat(there.verify(token)).isEmpty();
    }

    @Test
    void aNewTokenCountsAtOnceOnEveryNode() {
        there.verify(Credential.Token.of(TokenSecret.random(RANDOM).text()).orElseThrow());
        pass(Duration.ofMillis(100));
        assertThat(there.verify(token(null))).isPresent();
    }

    @Test
    void withoutTheStoreCredentialsCountForAMinute() {
        Credential token = token(null);
        here.verify(token);
        store.failNext(Call.CREDENTIAL_READ, Fault.BEFORE, 100);
        pass(AccessControl.OUTAGE);
        assertThat(here.verify(token)).isPresent();
        assertThat(here.known(token)).as("the next request does not wait for the store").isPresent();
        assertThatThrownBy(() -> here.verify(Credential.Token.of(TokenSecret.random(RANDOM).text()).orElseThrow()))
                .as("an unknown token may be a new one").isInstanceOf(StoreException.Unavailable.class);
        pass(Duration.ofMillis(1));
        assertThatThrownBy(() -> here.verify(token)).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void aTokenEndsAtItsEnd() {
        Credential token = token(time.now().plusSeconds(1));
        assertThat(here.verify(token)).isPresent();
        pass(Duration.ofSeconds(1));
        assertThat(here.verify(token)).isEmpty();
        assertThat(here.hasTokens()).isFalse();
    }

    @Test
    void aSessionEndsWhenIdleWhenTooOldAndWithItsToken() {
        token(null);
        Credential idle = session();
        Credential busy = session();
        for (int minute = 0; minute < 720; minute += 20) {
            assertThat(here.verify(busy)).as("after %s minutes", minute).isPresent();
            pass(Duration.ofMinutes(20));
        }
        assertThat(here.verify(idle)).isEmpty();
        assertThat(here.verify(busy)).isEmpty();
        pass(Duration.ofMillis(200));
        Credential last = session();
        pass(Duration.ofMillis(200));
        assertThat(here.verify(last)).isPresent();
        pass(Duration.ofMillis(200));
        here.revoke(CI);
        assertThat(here.verify(last)).isEmpty();
    }

    private Credential session() {
        return Credential.Session
                .of(here.open(new Identity(Identity.Kind.TOKEN, CI.value(), Role.VIEWER), RANDOM).orElseThrow());
    }

    @Test
    void aClosedSessionEndsAtOnce() {
        token(null);
        Credential session = session();
        assertThat(here.verify(session)).isPresent();
        pass(Duration.ofMillis(200));
        here.close(session);
        assertThat(here.verify(session)).isEmpty();
    }

    @Test
    void theLastUseIsReported() {
        Credential token = token(null);
        here.verify(token);
        Instant used = time.now();
        assertThat(here.tokens().getFirst().lastUsed()).isNull();
        here.close();
        assertThat(here.tokens().getFirst().lastUsed()).isEqualTo(used);
    }

    private AuditAct act() {
        return new AuditAct(time.now(), Identity.Kind.TOKEN, "ci", "127.0.0.1", "pause", "queue mails", "running");
    }

    private Optional<AuditEntry> newest() {
        return here.audit().list(AuditQuery.newest(1)).stream().findFirst();
    }

    @Test
    void theEntryIsDurableBeforeTheChangeBegins() {
        here.audit().record(act(), () -> {
            assertThat(newest().map(AuditEntry::outcome)).contains(Outcome.UNKNOWN);
            return true;
        }, _ -> "paused");
        assertThat(newest()).get().satisfies(entry -> {
            assertThat(entry.outcome()).isEqualTo(Outcome.DONE);
            assertThat(entry.after()).isEqualTo("paused");
        });
    }

    @Test
    void aChangeWhoseEntryCannotBeWrittenIsNotMade() {
        store.failNext(Call.AUDIT_APPEND, Fault.BEFORE, 1);
        assertThatThrownBy(() -> here.audit().record(act(), () -> {
            throw new AssertionError("made");
        }, _ -> null)).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void aFailedChangeHasItsReasonAndALostAnswerStaysUnknown() {
        assertThatThrownBy(() -> here.audit().record(act(), () -> {
            throw new IllegalStateException("no such queue");
        }, _ -> null)).hasMessage("no such queue");
        assertThat(newest()).get().satisfies(entry -> {
            assertThat(entry.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(entry.after()).isEqualTo("no such queue");
        });
        assertThatThrownBy(() -> here.audit().record(act(), () -> {
            throw new StoreException.OutcomeUnknown("lost", null);
        }, _ -> null)).isInstanceOf(StoreException.OutcomeUnknown.class);
        assertThat(newest().map(AuditEntry::outcome)).contains(Outcome.UNKNOWN);
    }

    @Test
    void refusedAttemptsOfOneNameCannotFillTheLog() {
        for (int n = 0; n < 500; n++) {
            here.audit().refused(act(), "no");
        }
        assertThat(here.audit().list(AuditQuery.newest(1_000))).hasSize(20);
        pass(Duration.ofSeconds(10));
        here.audit().refused(act(), "no");
        assertThat(here.audit().list(AuditQuery.newest(1_000))).hasSize(21);
    }
}
