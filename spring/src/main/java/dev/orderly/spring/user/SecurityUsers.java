package dev.orderly.spring.user;

import dev.orderly.Internal;
import dev.orderly.user.UserId;
import dev.orderly.user.UserSource;
import java.util.Optional;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** The user whom Spring Security has authenticated for the calling thread, by {@link Authentication#getName}. */
@Internal(to = "dev.orderly")
public final class SecurityUsers implements UserSource {
    /** @throws IllegalArgumentException if the name is no {@link UserId}, so that no push loses its user in silence */
    @Override
    public Optional<UserId> current() {
        return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                .filter(Authentication::isAuthenticated)
                .filter(authentication -> !(authentication instanceof AnonymousAuthenticationToken))
                .map(authentication -> new UserId(authentication.getName()));
    }
}
