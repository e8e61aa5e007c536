package dev.orderly.web.room;

import dev.orderly.room.Tiers;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.room.check.CheckedVisitor;
import dev.orderly.web.room.check.JoinCheck;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request that may take a place.
 *
 * @param work the solution that came with the request; null for none
 */
record RequestNewcomer(VisitorRequest caller, GatedRoom gated, @Nullable WorkSolution work) implements Newcomer {
    private static final String AGENT = "user-agent";

    @Override
    public String address() {
        return caller.addressKey();
    }

    @Override
    public @Nullable CompletionStage<Verdict> check(LongSupplier ofNetwork) {
        JoinCheck check = gated.check();
        return check == null
                ? null
                : check.ask(gated.room().name(), () -> visitor(check.policy().headers()), ofNetwork.getAsLong());
    }

    private CheckedVisitor visitor(List<String> chosen) {
        List<String> names = new ArrayList<>(chosen);
        names.add(AGENT);
        HeaderList sent = copy(names);
        RoomCookies.strip(sent);
        Map<String, String> headers = new HashMap<>();
        for (String name : names) {
            List<String> values = sent.getAll(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(name.equals("cookie") ? "; " : ", ", values));
            }
        }
        return new CheckedVisitor(caller.address().getHostAddress(), caller.method(), caller.request().host(),
                caller.head().path(), headers);
    }

    @Override
    public @Nullable Supplier<Optional<String>> tier(Tiers tiers) {
        Supplier<Authentication> sender = sender();
        return sender == null
                ? null
                : () -> sender.get() instanceof Authentication.Known known
                        ? tiers.first(tier -> tier.claim() != null
                                && known.has(tier.claimName(), tier.claimValue()))
                        : Optional.empty();
    }

    @Override
    public @Nullable Supplier<Optional<String>> signIn() {
        Supplier<Authentication> sender = sender();
        return sender == null
                ? null
                : () -> switch (sender.get()) {
                    case Authentication.Known known -> Optional.of(known.user().value());
                    case Authentication.Anonymous _,Authentication.Rejected _ -> Optional.empty();
                    case Authentication.Unavailable(String reason) -> throw new IllegalStateException(reason);
                };
    }

    /**
     * The head is copied, since the rooms remove their tokens from the request as it goes on; with all its headers,
     * since an authenticator may read any.
     */
    private @Nullable Supplier<Authentication> sender() {
        Authenticator users = gated.users();
        if (users.equals(Authenticator.NONE)) {
            return null;
        }
        RequestHead head = caller.head();
        HeaderList headers = new HeaderList();
        head.headers().forEach(headers::add);
        RequestHead copy = new RequestHead(head.method(), head.path(), head.query(), headers, head.peer(), head.tls(),
                head.params());
        return () -> users.of(copy);
    }

    private HeaderList copy(List<String> names) {
        HeaderList headers = new HeaderList();
        names.stream().distinct()
                .forEach(name -> caller.header(name).forEach(value -> headers.add(name, value)));
        return headers;
    }
}
