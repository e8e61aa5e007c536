package dev.orderly.live;

import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The users who are connected to any node: messages to them and from them, and who is online. Thread-safe; nothing here
 * blocks but {@link #isOnline}.
 *
 * {@snippet :
 * orderly.users().to("ann", "bob").send(Map.of("seat", 7, "taken", true));
 * orderly.users().onMessage(message -> message.connection().send("You said " + message.text()));
 * }
 *
 * <p>Messages are for who is connected at that moment. Nothing is kept for later, nothing is sent again, and it is not
 * known whether a message arrived; what must not be lost is a job, or its progress and result.
 */
public final class Users {
    /** The most users one message goes to. */
    public static final int RECEIVERS_MAX = 100;

    private final Delivery delivery;
    private final Presence presence;
    private final MessageRunner runner;
    private final JsonMapper json;
    private final UnaryOperator<MessageHandler> around;

    Users(Delivery delivery, Presence presence, MessageRunner runner, JsonMapper json) {
        this(delivery, presence, runner, json, handler -> handler);
    }

    private Users(Delivery delivery, Presence presence, MessageRunner runner, JsonMapper json,
            UnaryOperator<MessageHandler> around) {
        this.delivery = delivery;
        this.presence = presence;
        this.runner = runner;
        this.json = json;
        this.around = around;
    }

    /** The same users, with something around each handler that is attached through them. */
    public Users withHandlersIn(UnaryOperator<MessageHandler> scope) {
        return new Users(delivery, presence, runner, json, scope);
    }

    /** As {@link #to(Collection)}. */
    public Recipients to(String... ids) {
        return to(List.of(ids));
    }

    /**
     * Whom to send to.
     *
     * @param ids 1 to {@value #RECEIVERS_MAX} users, online or not; one that is named twice counts once
     * @throws IllegalArgumentException if there are none or too many, or one is no user id
     */
    public Recipients to(Collection<String> ids) {
        Set<UserId> receivers = new LinkedHashSet<>();
        ids.forEach(id -> receivers.add(new UserId(id)));
        if (receivers.isEmpty() || receivers.size() > RECEIVERS_MAX) {
            throw new IllegalArgumentException("A live message to " + receivers.size() + " users: name 1 to "
                    + RECEIVERS_MAX + ", and send to more in several steps");
        }
        return new Recipients(this, receivers);
    }

    /**
     * Whether the user is connected to any node. Asks the store unless to this one.
     *
     * @throws StoreException if the store cannot say
     */
    public boolean isOnline(String id) {
        return delivery.isOnline(new UserId(id));
    }

    /** How many devices and tabs of the user are connected to this node. */
    public int connections(String id) {
        return delivery.connections(new UserId(id));
    }

    /**
     * Has it run each time a user's first connection over all nodes is authenticated, on the node it came to. On a virtual
     * thread, in the user's scope; calls for one user come in order, never two at once, as far as one node can tell. What
     * it throws is logged. There may be several. When the store loses an answer, one may be missed.
     */
    public void onOnline(Consumer<UserId> action) {
        presence.onOnline(action);
    }

    /**
     * Has it run each time a user's last connection over all nodes has closed; when a node died with it, within 35 seconds on
     * one of the others. Otherwise as {@link #onOnline}.
     */
    public void onOffline(Consumer<UserId> action) {
        presence.onOffline(action);
    }

    /**
     * Takes what users send. Without a handler they are told that nobody does.
     *
     * @throws IllegalStateException if there is a handler
     */
    public void onMessage(MessageHandler handler) {
        runner.handleWith(around.apply(handler));
    }

    /** Users to send to. */
    public static final class Recipients {
        private final Users users;
        private final Set<UserId> receivers;

        private Recipients(Users users, Set<UserId> receivers) {
            this.users = users;
            this.receivers = receivers;
        }

        /**
         * Sends to all connections of all these users, on all nodes. A string is text, bytes are bytes, anything else is written as
         * JSON by Jackson. Messages of one thread arrive in their order.
         *
         * @throws IllegalArgumentException if it is a string with half a surrogate pair, cannot be written, or is larger than
         *     {@link Message#MAX}; nobody gets it then
         */
        public void send(Object value) {
            users.delivery.send(receivers, Message.of(value, users.json));
        }
    }
}
