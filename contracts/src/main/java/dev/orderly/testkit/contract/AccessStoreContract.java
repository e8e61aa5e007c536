package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.access.AccessToken;
import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialStore.Created;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.job.QueueName;
import dev.orderly.testkit.contract.input.HostileTexts;
import dev.orderly.testkit.contract.input.SampleTexts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every sentence of {@link CredentialStore} and {@link AuditStore} as a test. A store is tested by a subclass that
 * opens it.
 */
public abstract class AccessStoreContract {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final TokenName CI = new TokenName("ci");
    private static final int RACERS = 6;

    private @Nullable Store store;

    /** An empty store. Closed by the contract. */
    protected abstract Store open();

    /**
     * The store as a new process finds it after the process of {@code killed} was killed: nothing may be flushed or
     * signed off. The contract does not use {@code killed} again.
     */
    protected abstract Store reopen(Store killed);

    @BeforeEach
    void begin() {
        store = open();
    }

    @AfterEach
    void end() {
        store().close();
    }

    private Store store() {
        return Objects.requireNonNull(store, "No test has begun");
    }

    private CredentialStore credentials() {
        return store().credentials();
    }

    private AuditStore audit() {
        return store().audit();
    }

    private void crash() {
        store = reopen(store());
    }

    private static StoredToken token(String name) {
        return token(name, TokenSecret.sha256(name));
    }

    private static StoredToken token(String name, String hash) {
        return new StoredToken(new AccessToken(new TokenName(name), Role.OPERATOR, Set.of(), NOON, null), hash, null);
    }

    private static LoginSession session(String hash, String token, int seen) {
        return new LoginSession(hash, new TokenName(token), NOON, NOON.plusSeconds(seen));
    }

    @Test
    void aTokenIsReadAsItWasStoredAlsoAfterACrash() {
        StoredToken worker = new StoredToken(new AccessToken(CI, Role.WORKER,
                Set.of(new QueueName("mails"), new QueueName("a.fifo")), NOON, NOON.plusSeconds(60)), "h", null);
        assertThat(credentials().create(worker)).isEqualTo(Created.CREATED);
        assertThat(credentials().create(token("Ci"))).isEqualTo(Created.CREATED);
        assertThat(credentials().read().tokens()).containsExactly(token("Ci"), worker);
        crash();
        assertThat(credentials().read().tokens()).containsExactly(token("Ci"), worker);
    }

    @Test
    void aNameIsTakenOnceUntilItsTokenIsRevoked() {
        credentials().create(token("ci"));
        assertThat(credentials().create(token("ci", "other"))).isEqualTo(Created.NAME_TAKEN);
        assertThat(credentials().read().tokens()).containsExactly(token("ci"));
        assertThat(credentials().revoke(CI)).isTrue();
        assertThat(credentials().create(token("ci", "other"))).isEqualTo(Created.CREATED);
    }

    @Test
    void aRepeatedCreationIsTheFirstOneAgain() {
        credentials().create(token("ci"));
        credentials().used(new CredentialUses(Map.of(CI, NOON), Map.of()));
        assertThat(credentials().create(token("ci"))).isEqualTo(Created.CREATED);
        assertThat(credentials().read().tokens().getFirst().lastUsed()).isEqualTo(NOON);
    }

    @Test
    void onlyOneOfConcurrentCreationsTakesAName() {
        List<CompletableFuture<Created>> racers = IntStream.range(0, RACERS).mapToObj(n -> CompletableFuture
                .supplyAsync(() -> credentials().create(token("ci", "hash " + n)))).toList();
        assertThat(racers.stream().map(CompletableFuture::join)).containsOnlyOnce(Created.CREATED)
                .contains(Created.NAME_TAKEN);
    }

    @Test
    void tokensBeyondTheBoundAreRefused() {
        for (int n = 0; n < CredentialStore.TOKENS_MAX; n++) {
            credentials().create(token("t" + n));
        }
        assertThat(credentials().create(token("ci"))).isEqualTo(Created.FULL);
        assertThat(credentials().create(token("t7"))).isEqualTo(Created.CREATED);
        assertThat(credentials().read().tokens()).hasSize(CredentialStore.TOKENS_MAX);
    }

    @Test
    void aRevokedTokenIsGoneWithItsSessionsAndNoOthers() {
        credentials().create(token("ci"));
        credentials().create(token("ann"));
        credentials().open(session("1", "ci", 0));
        credentials().open(session("2", "ann", 0));
        assertThat(credentials().revoke(CI)).isTrue();
        assertThat(credentials().revoke(CI)).isFalse();
        crash();
        assertThat(credentials().read().tokens()).containsExactly(token("ann"));
        assertThat(credentials().read().sessions()).containsExactly(session("2", "ann", 0));
    }

    @Test
    void aSessionOfAnUnknownTokenIsNotStored() {
        assertThat(credentials().open(session("1", "ci", 0))).isFalse();
        assertThat(credentials().read().sessions()).isEmpty();
    }

    @Test
    void aSessionBeyondTheBoundReplacesTheOneUsedLongestAgo() {
        credentials().create(token("ci"));
        for (int n = 0; n < CredentialStore.SESSIONS_MAX; n++) {
            credentials().open(session("s" + n, "ci", n == 3 ? 0 : n + 1));
        }
        assertThat(credentials().open(session("new", "ci", 5_000))).isTrue();
        assertThat(credentials().read().sessions()).hasSize(CredentialStore.SESSIONS_MAX)
                .extracting(LoginSession::hash).contains("new", "s0").doesNotContain("s3");
    }

    @Test
    void aClosedSessionIsGone() {
        credentials().create(token("ci"));
        credentials().open(session("1", "ci", 0));
        assertThat(credentials().close("1")).isTrue();
        assertThat(credentials().close("1")).isFalse();
        assertThat(credentials().read().sessions()).isEmpty();
    }

    @Test
    void oldAndIdleSessionsExpireAndOthersStay() {
        credentials().create(token("ci"));
        credentials().open(session("idle", "ci", 10));
        credentials().open(session("busy", "ci", 20));
        credentials().open(new LoginSession("old", CI, NOON.minusSeconds(1), NOON.plusSeconds(30)));
        assertThat(credentials().expire(NOON, NOON.plusSeconds(20))).isEqualTo(2);
        assertThat(credentials().read().sessions()).containsExactly(session("busy", "ci", 20));
    }

    @Test
    void aUseIsKeptUnlessALaterOneIsKnown() {
        credentials().create(token("ci"));
        credentials().open(session("1", "ci", 5));
        credentials().used(new CredentialUses(Map.of(CI, NOON.plusSeconds(9), new TokenName("gone"), NOON),
                Map.of("1", NOON.plusSeconds(9), "gone", NOON)));
        credentials().used(new CredentialUses(Map.of(CI, NOON.plusSeconds(3)), Map.of("1", NOON.plusSeconds(3))));
        crash();
        assertThat(credentials().read().tokens()).extracting(StoredToken::lastUsed)
                .containsExactly(NOON.plusSeconds(9));
        assertThat(credentials().read().sessions()).containsExactly(session("1", "ci", 9));
    }

    private static AuditAct act(String name, String operation, String object, int second) {
        return new AuditAct(NOON.plusSeconds(second), Identity.Kind.TOKEN, name, "192.0.2.7", operation, object, null);
    }

    private long append(String name, String operation, String object, int second) {
        return audit().append(act(name, operation, object, second), Outcome.DONE, null);
    }

    @Test
    void anEntryIsReadAsItWasWrittenAlsoAfterACrash() {
        List<AuditEntry> written = new ArrayList<>();
        for (String text : SampleTexts.ALIKE) {
            AuditAct act = new AuditAct(NOON, Identity.Kind.PROXY, text, text, text, text, text);
            written.addFirst(new AuditEntry(audit().append(act, Outcome.REFUSED, text), act, Outcome.REFUSED, text));
        }
        assertThat(audit().list(AuditQuery.newest(100))).isEqualTo(written);
        crash();
        assertThat(audit().list(AuditQuery.newest(100))).isEqualTo(written);
    }

    @Test
    void noTextOfAnEntryHasAHiddenCharacterAndEachIsFoundByTheTextThatWasWritten() {
        List<String> texts = HostileTexts.some(7, 40);
        for (String text : texts) {
            AuditAct act = new AuditAct(NOON, Identity.Kind.PROXY, text, text, text, text, text);
            audit().end(audit().append(act, Outcome.UNKNOWN, null), Outcome.FAILED, text);
            assertThat(audit().list(new AuditQuery(null, text, text, text, null, null, 1)).getFirst().act())
                    .isEqualTo(act);
        }
        crash();
        assertThat(audit().list(AuditQuery.newest(1_000))).hasSameSizeAs(texts).allSatisfy(entry -> {
            AuditAct act = entry.act();
            assertThat(Stream.of(act.name(), act.address(), act.operation(), act.object(), act.before(),
                    entry.after())).noneMatch(text -> HostileTexts.isHostile(String.valueOf(text)));
        });
    }

    @Test
    void anEntryGetsItsOutcomeOnce() {
        long open = audit().append(act("ci", "pause", "queue a", 0), Outcome.UNKNOWN, null);
        long ended = audit().append(act("ci", "pause", "queue b", 1), Outcome.UNKNOWN, null);
        audit().end(ended, Outcome.DONE, "paused");
        audit().end(ended, Outcome.FAILED, "late");
        crash();
        assertThat(audit().list(AuditQuery.newest(10))).containsExactly(
                new AuditEntry(ended, act("ci", "pause", "queue b", 1), Outcome.DONE, "paused"),
                new AuditEntry(open, act("ci", "pause", "queue a", 0), Outcome.UNKNOWN, null));
    }

    @Test
    void idsGrowAlsoWhenTheNewestEntriesWereDeleted() {
        long first = append("ci", "pause", "queue a", 0);
        long second = append("ci", "pause", "queue a", 0);
        assertThat(second).isGreaterThan(first);
        assertThat(audit().prune(NOON.plusSeconds(1), 100, 100)).isEqualTo(2);
        crash();
        assertThat(append("ci", "pause", "queue a", 2)).isGreaterThan(second);
    }

    @Test
    void entriesAreFilteredByEachConditionAndComeInPages() {
        long one = append("ci", "pause", "queue a", 0);
        long two = append("ci", "resume", "queue a", 1);
        long three = append("ann", "pause", "queue a", 2);
        long four = append("ann", "pause", "queue b", 3);
        assertThat(ids(new AuditQuery(null, "ci", null, null, null, null, 10))).containsExactly(two, one);
        assertThat(ids(new AuditQuery(null, null, "pause", null, null, null, 10))).containsExactly(four, three, one);
        assertThat(ids(new AuditQuery(null, null, null, "queue a", null, null, 10))).containsExactly(three, two, one);
        assertThat(ids(new AuditQuery(null, null, null, null, NOON.plusSeconds(1), NOON.plusSeconds(3), 10)))
                .containsExactly(three, two);
        assertThat(ids(new AuditQuery(null, "ann", "pause", "queue a", null, null, 10))).containsExactly(three);
        assertThat(ids(AuditQuery.newest(3))).containsExactly(four, three, two);
        assertThat(ids(new AuditQuery(two, null, null, null, null, null, 3))).containsExactly(one);
    }

    private Stream<Long> ids(AuditQuery query) {
        return audit().list(query).stream().map(AuditEntry::id);
    }

    @Test
    void oldEntriesAndThoseBeyondTheNumberArePrunedTheOldestFirst() {
        List<Long> ids = IntStream.range(0, 10).mapToObj(n -> append("ci", "pause", "queue a", n)).toList();
        assertThat(audit().prune(NOON.plusSeconds(3), 100, 2)).isEqualTo(2);
        assertThat(audit().prune(NOON.plusSeconds(3), 100, 2)).isEqualTo(1);
        assertThat(audit().prune(NOON.plusSeconds(3), 100, 2)).isZero();
        assertThat(ids(AuditQuery.newest(20))).containsExactlyElementsOf(ids.subList(3, 10).reversed());
        assertThat(audit().prune(NOON, 4, 100)).isEqualTo(3);
        assertThat(ids(AuditQuery.newest(20))).containsExactlyElementsOf(ids.subList(6, 10).reversed());
    }
}
