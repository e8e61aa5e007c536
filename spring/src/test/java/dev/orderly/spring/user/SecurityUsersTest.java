package dev.orderly.spring.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyUserAutoConfiguration;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import dev.orderly.user.UserSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

/** The user that a push belongs to. */
class SecurityUsersTest {
    private static final List<String> ROLES = List.of("ROLE_USER");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(OrderlyUserAutoConfiguration.class, OrderlyAutoConfiguration.class))
            .withBean(Store.class, MemoryStore::new);

    @AfterEach
    void signOut() {
        SecurityContextHolder.clearContext();
    }

    private static void signIn(Authentication authentication) {
        SecurityContextHolder.getContext().setAuthentication(authentication);
    }

    private static TestingAuthenticationToken user(String name) {
        return new TestingAuthenticationToken(name, "secret", AuthorityUtils.createAuthorityList(ROLES));
    }

    private static Optional<String> userOfPush(ApplicationContext context) {
        Orderly orderly = context.getBean(Orderly.class);
        StandardQueue<String> queue = orderly.queue("mails", String.class);
        JobId id = queue.push("hello");
        return Optional.ofNullable(orderly.jobs().find(id).orElseThrow().user()).map(UserId::value);
    }

    @Test
    void aPushBelongsToTheUserWhomSpringSecurityHasAuthenticated() {
        runner.run(context -> {
            signIn(user("ada"));
            assertThat(userOfPush(context)).contains("ada");
        });
    }

    @Test
    void aScopeWinsEvenIfItHasNoUser() {
        runner.run(context -> {
            signIn(user("ada"));
            assertThat(UserScope.call(new UserId("bob"), () -> userOfPush(context))).contains("bob");
            assertThat(UserScope.call(Optional.empty(), () -> userOfPush(context))).isEmpty();
        });
    }

    @Test
    void nobodyAndAnAnonymousUserAreNoUser() {
        runner.run(context -> {
            assertThat(userOfPush(context)).isEmpty();
            signIn(new AnonymousAuthenticationToken("key", "anonymousUser", AuthorityUtils.createAuthorityList(ROLES)));
            assertThat(userOfPush(context)).isEmpty();
            TestingAuthenticationToken unchecked = new TestingAuthenticationToken("ada", "secret");
            unchecked.setAuthenticated(false);
            signIn(unchecked);
            assertThat(userOfPush(context)).isEmpty();
        });
    }

    @Test
    void aNameThatIsNoUserIdIsRefusedSoThatNoJobLosesItsUser() {
        runner.run(context -> {
            signIn(user("a".repeat(257)));
            assertThatIllegalArgumentException().isThrownBy(() -> userOfPush(context)).withMessageContaining("user id");
        });
    }

    @Test
    void anotherSourceOrNoneCanBeChosen() {
        runner.withBean(UserSource.class, () -> () -> Optional.of(new UserId("tenant-7"))).run(context -> {
            signIn(user("ada"));
            assertThat(userOfPush(context)).contains("tenant-7");
        });
        runner.withPropertyValues("orderly.users.from-security=false").run(context -> {
            signIn(user("ada"));
            assertThat(userOfPush(context)).isEmpty();
        });
        runner.withClassLoader(new FilteredClassLoader("org.springframework.security")).run(context -> assertThat(
                userOfPush(context)).isEmpty());
    }
}
