package dev.orderly.http.listener;

import dev.orderly.http.listener.Site.Match;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.Problems;
import dev.orderly.http.problem.Refusal;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer: head checked, the site asked who serves it, and handed to that. All fields belong to the
 * connection's event loop.
 */
final class Exchange implements Streaming {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final long NO_TIMER = -1;
    /** A body nobody wants is read on for this long, so that its sender sees the answer before the connection ends. */
    private static final long LINGER_MILLIS = 2_000;
    private static final long LINGER_BYTES = 8 << 20;

    final Exchanges all;
    final Context loop;
    private final HttpServerRequest request;
    private Additions additions = Additions.NONE;
    private @Nullable Head head;
    private @Nullable Runnable onLost;
    private long timer = NO_TIMER;
    private boolean holdsRequest;
    private boolean understood;
    private boolean over;
    private int heldBytes;
    private long drained;

    Exchange(Exchanges all, HttpServerRequest request) {
        this.all = all;
        this.request = request;
        this.loop = all.vertx.getOrCreateContext();
    }

    void begin() {
        try {
            Head read = StrictHead.read(request);
            understood = true;
            serve(all.site.match(read));
        } catch (RuntimeException e) {
            refuse(Problems.of(e));
        }
    }

    private void serve(Match match) {
        switch (match) {
            case Match.Added(Match inner, Additions more) -> {
                additions = additions.and(more);
                serve(inner);
            }
            case Match.Immediate(Answer answer) -> answer(answer);
            case Match.Collected collected -> new Collecting(this, collected).begin();
            case Match.Deferred(CompletionStage<? extends Match> later) -> await(later);
            case Match.Streamed(Stream stream, Head read) -> stream(stream, read);
            case Match.Opened opened -> open(opened);
        }
    }

    private void await(CompletionStage<? extends Match> later) {
        CompletableFuture<? extends Match> future = later.toCompletableFuture();
        if (future.isDone() && !future.isCompletedExceptionally()) {
            serve(future.join());
            return;
        }
        if (!takeRequest()) {
            return;
        }
        handOver();
        startTimer(all.limits.answer().toMillis(), () -> refuse(Problems.unanswered(all.limits.answer())));
        later.whenComplete((match, thrown) -> loop.runOnContext(_ -> decided(match, thrown)));
    }

    private void decided(@Nullable Match match, @Nullable Throwable thrown) {
        stopTimer();
        if (over) {
            return;
        }
        try {
            if (match == null) {
                throw thrown == null ? new IllegalStateException("A site decided on nothing") : thrown;
            }
            serve(match);
        } catch (CompletionException e) {
            refuse(Problems.of(e.getCause() == null ? e : e.getCause()));
        } catch (Throwable e) { // whatever a decision ends with ends its request, never this listener's work
            refuse(Problems.of(e));
        }
    }

    private void stream(Stream stream, Head read) {
        if (takeRequest()) {
            head = read;
            handOver();
            stream.serve(this);
        }
    }

    private void open(Match.Opened opened) {
        HttpServerResponse response = request.response();
        if (Head.announcesBody(request.headers())) {
            throw new Refusal(Endpoint.noBody(request.method().name(), pathOf(request.uri())));
        }
        handOver();
        MultiMap headers = response.headers();
        headers.set("Content-Type", "text/event-stream").set(AnswerWriter.DATE, all.writer.date());
        AnswerWriter.add(headers, opened.headers());
        AnswerWriter.add(headers, additions.answered());
        AnswerWriter.noStore(headers);
        if (request.method().name().equals("HEAD")) {
            response.end().onComplete(_ -> finished());
            return;
        }
        EventStream stream = new EventStream(loop, response, this::finished);
        onLost(stream::gone);
        request.connection().shutdownHandler(_ -> stream.close());
        if (request.version() == HttpVersion.HTTP_1_0) {
            response.putHeader("Connection", "close");
        } else {
            response.writeHead();
        }
        giveBack(); // it stays for long, bounded by the connections there may be
        opened.opened().accept(stream);
    }

    /** From now on the request waits unread, and a client that goes away ends the exchange. */
    private void handOver() {
        request.pause();
        request.exceptionHandler(this::lost);
        request.response().closeHandler(_ -> lost(null));
    }

    private void lost(@Nullable Throwable cause) {
        if (!over) {
            LOG.debug("A request ended early: {}", cause == null ? "the client is gone" : cause.toString());
            end();
            Runnable action = onLost;
            onLost = null;
            if (action != null) {
                action.run();
            }
        }
        request.connection().close();
    }

    @Override
    public HttpServerRequest request() {
        return request;
    }

    @Override
    public Head head() {
        if (head == null) {
            throw new IllegalStateException("The head is known to a stream only");
        }
        return head;
    }

    @Override
    public Additions additions() {
        return additions;
    }

    @Override
    public void onLost(Runnable action) {
        onLost = action;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void refuse(Problem problem) {
        answer(Answer.problem(problem, pathOf(request.uri())));
    }

    private static String pathOf(String uri) {
        int question = uri.indexOf('?');
        return question < 0 ? uri : uri.substring(0, question);
    }

    /** Answers for a worker that is late. It keeps its room until it ends. */
    void unanswered() {
        boolean held = holdsRequest;
        holdsRequest = false;
        refuse(Problems.unanswered(all.limits.answer()));
        holdsRequest = held;
    }

    @Override
    public void answer(Answer answer) {
        HttpServerResponse response = request.response();
        if (over || response.closed()) {
            return;
        }
        boolean unread = isUnread();
        end();
        if (unread) {
            drain();
        }
        if (unread || !understood) {
            response.putHeader("Connection", "close");
        }
        boolean withBody = unread || !request.method().name().equals("HEAD");
        all.writer.write(response, answer, additions.answered(), withBody).onComplete(_ -> next(unread));
    }

    @Override
    public void finished() {
        if (!over) {
            boolean unread = isUnread();
            end();
            if (unread) {
                drain();
            }
            next(unread);
        }
    }

    @Override
    public Runnable upgraded() {
        end();
        HttpConnection connection = request.connection();
        return () -> all.connections.closed(connection); // its own handlers are told nothing any more
    }

    @Override
    public void cut() {
        end();
        request.connection().close();
    }

    private boolean isUnread() {
        return Head.announcesBody(request.headers()) && !request.isEnded();
    }

    private void next(boolean unread) {
        if (!understood && !unread) {
            request.connection().close(); // nor is what follows such a head to be believed
        } else if (unread) {
            all.vertx.setTimer(LINGER_MILLIS, _ -> request.connection().close());
        } else {
            all.connections.answered(request.connection());
        }
    }

    /** What still comes of the body is read for a while and dropped, then the connection ends. */
    private void drain() {
        request.handler(chunk -> {
            drained += chunk.length();
            if (drained > LINGER_BYTES) {
                request.connection().close();
            }
        });
        request.endHandler(_ -> request.connection().close());
        request.exceptionHandler(_ -> request.connection().close());
        request.resume();
    }

    /** Nothing more is to be done but to write what is being written. */
    private void end() {
        over = true;
        stopTimer();
        giveBack();
    }

    /** Whether there is room for this request; if not, it is refused here. */
    boolean takeRequest() {
        if (!holdsRequest) {
            holdsRequest = all.intake.takeRequest();
            if (!holdsRequest) {
                refuse(Problems.overloaded("Too many requests are under way here."));
            }
        }
        return holdsRequest;
    }

    boolean takeBytes(int bytes) {
        boolean taken = all.intake.takeBytes(bytes);
        heldBytes += taken ? bytes : 0;
        return taken;
    }

    void giveBack() {
        if (holdsRequest) {
            holdsRequest = false;
            all.intake.giveRequest();
            all.intake.giveBytes(heldBytes);
            heldBytes = 0;
        }
    }

    /** Runs an action on the event loop after a while; there is one timer, the last started one. */
    void startTimer(long millis, Runnable action) {
        stopTimer();
        timer = all.vertx.setTimer(Math.max(1, millis), _ -> {
            timer = NO_TIMER;
            action.run();
        });
    }

    void stopTimer() {
        if (timer != NO_TIMER) {
            all.vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
