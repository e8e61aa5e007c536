package dev.orderly.node;

import dev.orderly.Registration;
import dev.orderly.flow.LogLimit;
import dev.orderly.job.NodeId;
import dev.orderly.node.NodeReport.Phase;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Questions and answers over the bus. Older versions take both for a report that they cannot read. */
final class BusQuestions implements NodeQuestions {
    private static final Logger LOG = LoggerFactory.getLogger(BusQuestions.class);
    /** Equal questions within this time share their answers, so that many open pages cost no more than one. */
    private static final Duration FRESH = Duration.ofSeconds(1);
    /**
     * The wait for a node that left its last question unanswered, as nodes of older versions do: pages that ask once a
     * second stay up to date beside it.
     */
    private static final Duration SHORT = Duration.ofMillis(100);
    /** The most questions that are kept at once, each for a few seconds; a further one is not asked. */
    private static final int ASKED_MAX = 128;
    /** The most questions that are answered at once; a further one gets no answer. */
    private static final int ANSWERED_MAX = 32;

    private final NodeId self;
    private final Supplier<String> host;
    private final Bus bus;
    private final Time time;
    private final Supplier<List<NodeStatus>> nodes;
    private final LogLimit failures;
    private final AtomicLong numbers = new AtomicLong();
    private final Semaphore answering = new Semaphore(ANSWERED_MAX);
    private final ConcurrentMap<String, UnaryOperator<JsonNode>> answers = new ConcurrentHashMap<>();
    private final ConcurrentMap<Key, Asked> asked = new ConcurrentHashMap<>();
    /** Nodes that left their last question unanswered, by their ids. */
    private final Set<String> unanswering = ConcurrentHashMap.newKeySet();

    private record Key(String subject, JsonNode question) {}

    /**
     * The nodes that a question goes to, by their ids.
     *
     * @param names of all, the silent ones too, which are not waited for
     * @param prompt nodes that are waited for
     * @param slow nodes that left their last question unanswered
     */
    private record Others(Map<String, String> names, Set<String> prompt, Set<String> slow) {}

    /** A question with the answers so far. */
    private static final class Asked {
        private final String id;
        private final long at;
        private final Others others;
        private final ConcurrentMap<String, NodeAnswers.Answer> received = new ConcurrentHashMap<>();
        private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean sent = new AtomicBoolean();

        Asked(String id, long at, Others others) {
            this.id = id;
            this.at = at;
            this.others = others;
        }

        /** The end of the wait by the answers so far, on the monotonic clock. */
        private long deadline() {
            Set<String> answered = received.keySet();
            return at + (!answered.containsAll(others.prompt)
                    ? PATIENCE
                    : answered.containsAll(others.slow) ? Duration.ZERO : SHORT).toNanos();
        }

        void receive(String node, NodeAnswers.Answer answer) {
            received.put(node, answer);
            waiting.forEach(LockSupport::unpark);
        }

        void await(Time time) {
            waiting.add(Thread.currentThread());
            try {
                while (!time.reached(deadline()) && !Thread.currentThread().isInterrupted()) {
                    time.park(deadline());
                }
            } finally {
                waiting.remove(Thread.currentThread());
            }
        }

        NodeAnswers answers() {
            Map<String, NodeAnswers.Answer> now = Map.copyOf(received);
            return new NodeAnswers(
                    now.values().stream().filter(answer -> !answer.content().isMissingNode()).toList(),
                    others.names.entrySet().stream().filter(node -> !now.containsKey(node.getKey()))
                            .map(Map.Entry::getValue).sorted().toList());
        }
    }

    /**
     * @param host the name of this node, which may be known later
     * @param nodes all known nodes
     */
    BusQuestions(NodeId self, Supplier<String> host, Bus bus, Time time, Supplier<List<NodeStatus>> nodes) {
        this.self = self;
        this.host = host;
        this.bus = bus;
        this.time = time;
        this.nodes = nodes;
        this.failures = new LogLimit(LOG, time);
    }

    @Override
    public String self() {
        String known = host.get();
        return known.isEmpty() ? UNNAMED : known;
    }

    @Override
    public Registration answer(String subject, UnaryOperator<JsonNode> answer) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(answer, "answer");
        if (answers.putIfAbsent(subject, answer) != null) {
            throw new IllegalStateException("Questions about " + subject + " have an answer already: give one only");
        }
        return Registration.of(() -> answers.remove(subject, answer));
    }

    @Override
    public NodeAnswers ask(String subject, JsonNode question) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(question, "question");
        asked.values().removeIf(each -> time.nanos() - each.at > PATIENCE.plus(FRESH).toNanos());
        Key key = new Key(subject, question.deepCopy());
        if (asked.size() >= ASKED_MAX && !asked.containsKey(key)) {
            failures.warn("More than {} questions to other nodes are open: one about {} is not asked", ASKED_MAX,
                    subject);
            return new Asked("", time.nanos(), others()).answers();
        }
        Asked one = asked.compute(key,
                (_, known) -> known != null && time.nanos() - known.at < FRESH.toNanos()
                        ? known
                        : new Asked(self.value() + "/" + numbers.incrementAndGet(), time.nanos(), others()));
        if (one.sent.compareAndSet(false, true) && !one.others.names.isEmpty()) { // its answers may come at once
            publish(JsonMapper.shared().createObjectNode().put("asked", one.id).put("subject", subject)
                    .set("content", question));
        }
        one.await(time);
        if (time.reached(one.at + PATIENCE.toNanos())) {
            one.others.prompt.stream().filter(node -> !one.received.containsKey(node)).forEach(unanswering::add);
        }
        return one.answers();
    }

    private Others others() {
        List<NodeStatus> known = nodes.get().stream()
                .filter(node -> !node.self() && node.report().phase() != Phase.STOPPED).toList();
        Set<String> live = known.stream().filter(node -> !node.silent()).map(node -> node.report().node().value())
                .collect(Collectors.toSet());
        unanswering.retainAll(live);
        Set<String> slow = Set.copyOf(unanswering);
        return new Others(known.stream().collect(Collectors.toMap(node -> node.report().node().value(),
                node -> node.report().host())),
                live.stream().filter(node -> !slow.contains(node)).collect(Collectors.toSet()), slow);
    }

    /** Takes a message of another node: a question, an answer, or one that is neither. Never blocks. */
    void received(byte[] message) {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(message);
        } catch (JacksonException _) { // of a later version
            return;
        }
        String question = json.path("asked").asString("");
        if (!question.isEmpty()) {
            reply(question, json.path("subject").asString(""), json.path("content"));
        }
        String answered = json.path("answered").asString("");
        if (!answered.isEmpty()) {
            String node = json.path("node").asString("");
            unanswering.remove(node);
            asked.values().stream().filter(each -> each.id.equals(answered)).findFirst().ifPresent(
                    each -> each.receive(node, new NodeAnswers.Answer(each.others.names.getOrDefault(node,
                            json.path("host").asString("")), json.path("content"))));
        }
    }

    private void reply(String id, String subject, JsonNode question) {
        if (!answering.tryAcquire()) {
            return;
        }
        var _ = Thread.ofVirtual().name("orderly-node-answer").start(() -> {
            try {
                ObjectNode answer = JsonMapper.shared().createObjectNode().put("answered", id)
                        .put("node", self.value()).put("host", host.get());
                Optional.ofNullable(answers.get(subject)).map(known -> known.apply(question))
                        .filter(content -> !content.isMissingNode())
                        .ifPresent(content -> answer.set("content", content));
                publish(answer);
            } catch (RuntimeException e) {
                failures.warn("A question of another node about {} gets no answer: {}", subject, e.toString());
            } finally {
                answering.release();
            }
        });
    }

    private void publish(JsonNode message) {
        bus.publish(Bus.Topic.NODES, message.toString().getBytes(StandardCharsets.UTF_8));
    }
}
