package dev.orderly.live;

import dev.orderly.Registration;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The users who are connected to any node: messages to them and from them, and who is online. Thread-safe; nothing here
 * blocks but {@link #isOnline}, {@link #online} and {@link #connectionsOf}.
 *
 * {@snippet :
 * orderly.users().to(new UserId("ann"), new UserId("bob")).send(Map.of("seat", 7, "taken", true));
 * orderly.users().onMessage(message -> message.connection().send("You said " + message.text()));
 * }
 *
 * <p>A message reaches the users who are connected at that moment. It is neither kept nor sent again, and the sender
 * does not learn whether it arrived. Anything that must not be lost belongs into a job, or its progress and result.
 */
public final class Users {
    /** The maximum number of receivers of one message. */
    public static final int RECEIVERS_MAX = 100;
    /** The maximum number of users of one page. */
    public static final int PAGE_MAX = 200;

    private final Delivery delivery;
    private final OnlineChanges presence;
    private final MessageRunner runner;
    private final JsonMapper json;
    private final UserQuestions nodes;
    private final UnaryOperator<MessageHandler> around;

    Users(Delivery delivery, OnlineChanges presence, MessageRunner runner, JsonMapper json, UserQuestions nodes) {
        this(delivery, presence, runner, json, nodes, handler -> handler);
    }

    private Users(Delivery delivery, OnlineChanges presence, MessageRunner runner, JsonMapper json, UserQuestions nodes,
            UnaryOperator<MessageHandler> around) {
        this.nodes = nodes;
        this.delivery = delivery;
        this.presence = presence;
        this.runner = runner;
        this.json = json;
        this.around = around;
    }

    /** The same users, but each handler that is attached through them runs inside the given scope. */
    public Users withHandlersIn(UnaryOperator<MessageHandler> scope) {
        Objects.requireNonNull(scope, "scope");
        return new Users(delivery, presence, runner, json, nodes, scope);
    }

    /** As {@link #to(Collection)}. */
    public Recipients to(UserId... ids) {
        Objects.requireNonNull(ids, "ids");
        return to(List.of(ids));
    }

    /**
     * Names the receivers of messages.
     *
     * @param ids 1 to {@value #RECEIVERS_MAX} users, online or not; a user named twice counts once
     * @throws IllegalArgumentException if there are none or too many
     */
    public Recipients to(Collection<UserId> ids) {
        Objects.requireNonNull(ids, "ids");
        Set<UserId> receivers = new LinkedHashSet<>(ids);
        if (receivers.isEmpty() || receivers.size() > RECEIVERS_MAX) {
            throw new IllegalArgumentException("A live message to " + receivers.size() + " users: name 1 to "
                    + RECEIVERS_MAX + ", and send to more in several steps");
        }
        return new Recipients(this, receivers);
    }

    /**
     * Whether the user is connected to any node. Asks the store unless the user is connected to this node.
     *
     * @throws StoreException if the store cannot answer
     */
    public boolean isOnline(UserId id) {
        Objects.requireNonNull(id, "id");
        return delivery.isOnline(id);
    }

    /** The number of the user's connections (devices, tabs) to this node. */
    public int connections(UserId id) {
        Objects.requireNonNull(id, "id");
        return delivery.connections(id);
    }

    /**
     * The users who are connected to this node, in the order of their ids. Answers from memory; looks at all of them.
     *
     * @param after the last user of the page before; null for the first page
     * @param limit 1 or more
     */
    public List<OnlineUser> onlineHere(@Nullable UserId after, int limit) {
        return delivery.page(after, limit);
    }

    /**
     * The users who are connected to any node, in the order of their ids. Asks the other nodes, and blocks for them up
     * to {@link dev.orderly.node.NodeQuestions#PATIENCE}; what a node that does not answer knows is missing.
     *
     * @param after the last user of the page before; null for the first page
     * @param limit 1 to {@value #PAGE_MAX}
     * @throws IllegalArgumentException if {@code limit} is out of bounds
     */
    public OnlinePage online(@Nullable UserId after, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " users: use 1 to " + PAGE_MAX);
        }
        return nodes.page(after, limit);
    }

    /** The user's connections to all nodes. Otherwise as {@link #online}. */
    public UserConnections connectionsOf(UserId id) {
        Objects.requireNonNull(id, "id");
        return nodes.of(id);
    }

    /** The user's connections to this node. Answers from memory. */
    public List<OpenConnection> connectionsHere(UserId id) {
        Objects.requireNonNull(id, "id");
        return delivery.of(id);
    }

    /**
     * Adds a callback that runs when a user's first connection over all nodes is authenticated, on the node of that
     * connection. It runs on a thread of its own, in the user's scope. Calls for one user come in order, never two at
     * once, as far as one node can tell. An exception is logged and affects no other callback. If the store loses an
     * answer, one call may be missed. Closing the registration ends the calls.
     */
    public Registration onOnline(Consumer<UserId> action) {
        Objects.requireNonNull(action, "action");
        return presence.onOnline(action);
    }

    /**
     * Adds a callback that runs when a user's last connection over all nodes has closed. If the connection's node died,
     * the callback runs within 35 seconds on one of the other nodes. Otherwise as {@link #onOnline}.
     */
    public Registration onOffline(Consumer<UserId> action) {
        Objects.requireNonNull(action, "action");
        return presence.onOffline(action);
    }

    /**
     * Sets the handler for messages from users. Without a handler, each message is answered with an error; so it is
     * again once the registration is closed, and another handler may be attached.
     *
     * @throws IllegalStateException if a handler is attached already
     */
    public Registration onMessage(MessageHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return runner.handleWith(around.apply(handler));
    }

    /** The receivers of messages. */
    public static final class Recipients {
        private final Users users;
        private final Set<UserId> receivers;

        private Recipients(Users users, Set<UserId> receivers) {
            this.users = users;
            this.receivers = receivers;
        }

        /**
         * Sends to all connections of all these users, on all nodes. A string is text, bytes are bytes, anything else
         * is written as JSON by Jackson. Messages of one thread arrive in their order.
         *
         * @throws IllegalArgumentException if it is a string with half a surrogate pair, cannot be written, or is
         *   larger than
         *   {@link Message#MAX}; nothing is sent then
         */
        public void send(Object value) {
            Objects.requireNonNull(value, "value");
            users.delivery.send(receivers, Message.of(value, users.json));
        }
    }
}
