package dev.orderly.web.room;

import dev.orderly.room.crowd.Newcomer;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sender of a request that may take a place. */
record RequestNewcomer(VisitorRequest caller, Authenticator users) implements Newcomer {
    /** The headers by which users are known. */
    private static final List<String> OF_USERS = List.of("Authorization", "Cookie", "Origin", "Host", "Sec-Fetch-Site");

    @Override
    public String address() {
        return caller.addressKey();
    }

    /** The head is copied: the rooms remove their tokens from the request as it goes on. */
    @Override
    public @Nullable Supplier<Optional<String>> signIn() {
        if (users.equals(Authenticator.NONE)) {
            return null;
        }
        RequestHead head = caller.head();
        HeaderList headers = new HeaderList();
        OF_USERS.forEach(name -> head.headers().getAll(name).forEach(value -> headers.add(name, value)));
        RequestHead copy = new RequestHead(head.method(), head.path(), head.query(), headers, head.peer(), head.tls(),
                head.params());
        return () -> users.of(copy) instanceof Authentication.Known known
                ? Optional.of(known.user().value())
                : Optional.empty();
    }
}
