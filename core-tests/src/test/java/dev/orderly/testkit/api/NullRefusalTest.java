package dev.orderly.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.VisitorStore;
import dev.orderly.history.HistoryReader;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Payload;
import dev.orderly.job.Push;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.payload.PayloadChanges;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Users;
import dev.orderly.node.NodeDirectory;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

/**
 * Every public method and constructor of what applications use is called with null for each parameter that is not
 * {@code @Nullable}, and refuses it by an exception that names the parameter. So null never means "not set".
 */
class NullRefusalTest {
    /** The packages of applications. */
    private static final List<String> PACKAGES = List.of("dev.orderly", "dev.orderly.job", "dev.orderly.job.bulk",
            "dev.orderly.job.payload", "dev.orderly.job.pull", "dev.orderly.job.settings",
            "dev.orderly.job.transaction", "dev.orderly.user");
    /** Types of other packages that an application calls. */
    private static final List<Class<?>> OTHERS = List.of(EngineOptions.class, GroupQuery.class, HistoryReader.class,
            JobClient.class, JobSearch.class, JobWorker.class, LiveOptions.class, NodeDirectory.class,
            ScheduleEngine.class, ScheduleName.class, ScheduledRun.class, Timing.class, Users.class,
            Users.Recipients.class);
    /** What is left out, with the reason. */
    private static final Map<String, String> EXCEPT = Map.of(
            "dev.orderly.OrderlyException", "abstract: its subclasses are called",
            "dev.orderly.job.bulk.BulkStatus", "an answer: only Orderly makes it",
            "dev.orderly.job.payload.PayloadFormat", "of the engine: it has no public constructor",
            "dev.orderly.job.payload.PayloadReport", "an answer: only Orderly makes it");

    private final Orderly orderly = Orderly.open(new MemoryStore());
    private final Map<Class<?>, Object> samples = new HashMap<>();

    NullRefusalTest() {
        QueueName name = new QueueName("mails");
        Stream.of("text", PayloadChanges.NONE, orderly.bulk(), orderly.settings(), orderly.pulls(), orderly.schedules(),
                orderly.nodes(), orderly.history(), orderly.jobs().payloads(), Payload.json("1"), name,
                new UserId("ann"), Duration.ofSeconds(1), Instant.EPOCH, orderly,
                orderly.jobs(), orderly.users(), orderly.queue("mails", String.class),
                orderly.fifo("orders.fifo", String.class), orderly.fifo("orders.fifo", String.class).group("g"),
                orderly.queue("mails", String.class).params(Map.of()), PushRequest.of("mails", Payload.json("1")),
                QueueOptions.STANDARD, RetryPolicy.STANDARD, EngineOptions.defaults(), LiveOptions.DEFAULT,
                Timing.parse("daily"), ZoneId.of("UTC"), URI.create("a:b"), new RuntimeException(),
                orderly.users().to(new UserId("ann")), PayloadTypes.of(String.class),
                orderly.queue("mails", String.class).push("a")).forEach(each -> samples.put(each.getClass(), each));
        samples.put(JobSearch.class, JobSearch.ALL);
        samples.put(BulkRequest.class, BulkRequest.found(BulkRequest.Action.CANCEL, JobSearch.ALL.inQueue(name)));
        samples.put(BulkRequest.Selection.class, new BulkRequest.Selection.Found(JobSearch.ALL));
        samples.put(Class.class, String.class);
        samples.put(UnaryOperator.class, UnaryOperator.identity());
        samples.put(VisitorStore.class, new MemoryStore());
        samples.put(AttemptOutcome.class, new AttemptOutcome.GiveBack());
        samples.put(TypeReference.class, new TypeReference<List<String>>() {
        });
        samples.put(JobQueue.class, orderly.queue("mails", String.class));
        samples.put(List.class, List.of());
        samples.put(Collection.class, List.of());
        samples.put(Set.class, Set.of());
        samples.put(Map.class, Map.of());
        samples.put(Optional.class, Optional.empty());
        samples.put(Object.class, "text");
        samples.put(Push.Target.class, proxy(Push.Target.class));
        samples.put(Handler.class, (Handler<String>) (_, _) -> {});
    }

    @AfterEach
    void close() {
        orderly.close();
    }

    @Test
    void nullIsRefusedByTheNameOfTheParameter() {
        Set<String> wrong = new TreeSet<>();
        int called = 0;
        List<Class<?>> types = new ArrayList<>(OTHERS);
        PACKAGES.forEach(each -> types.addAll(classes(each)));
        types.removeIf(type -> EXCEPT.containsKey(type.getName()));
        for (Class<?> type : types) {
            for (Executable member : members(type)) {
                called += call(type, member, wrong);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(called).as("parameters that were null").isGreaterThan(180);
    }

    private static List<Executable> members(Class<?> type) {
        List<Executable> members = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            members.addAll(Arrays.asList(type.getConstructors()));
        }
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isAbstract(method.getModifiers())
                        && !method.isSynthetic() && !method.getName().equals("equals")
                        && !(type.isEnum() && method.getName().equals("valueOf")))
                .forEach(members::add);
        return members;
    }

    /** Calls a member once with null for each of its parameters that may not be null. */
    private int call(Class<?> type, Executable member, Set<String> wrong) {
        Parameter[] parameters = member.getParameters();
        int called = 0;
        for (int n = 0; n < parameters.length; n++) {
            if (parameters[n].getType().isPrimitive() || mayBeNull(parameters[n])) {
                continue;
            }
            String where = type.getName() + "." + member.getName() + "("
                    + String.join(", ", Arrays.stream(parameters).map(Parameter::getName).toList()) + ")";
            @Nullable
            Object[] arguments = new Object[parameters.length];
            boolean possible = true;
            for (int k = 0; k < parameters.length; k++) {
                arguments[k] = k == n ? null : sample(parameters[k].getType());
                possible &= k == n || arguments[k] != null || mayBeNull(parameters[k]);
            }
            Object instance = member instanceof Constructor || Modifier.isStatic(member.getModifiers())
                    ? ""
                    : sample(type);
            if (!possible || instance == null) {
                wrong.add(where + ": the test has no sample of a type");
                continue;
            }
            called++;
            Throwable thrown = thrown(member, instance, arguments);
            if (!(thrown instanceof NullPointerException)
                    || !String.valueOf(thrown.getMessage()).contains(parameters[n].getName())) {
                wrong.add(where + " with " + parameters[n].getName() + " null: " + thrown);
            }
        }
        return called;
    }

    private static boolean mayBeNull(Parameter parameter) {
        return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static @Nullable Throwable thrown(Executable member, Object instance, @Nullable Object[] arguments) {
        try {
            if (member instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                ((Method) member).invoke(instance, arguments);
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(member.toString(), e);
        }
    }

    private @Nullable Object sample(Class<?> type) {
        Object known = samples.get(type);
        if (known == null) {
            known = samples.values().stream().filter(type::isInstance).findFirst().orElse(null);
        }
        if (known != null) {
            return known;
        }
        if (type.isPrimitive()) {
            return type == boolean.class
                    ? (Object) false
                    : type == long.class ? (Object) 1L : type == double.class ? (Object) 1.0 : (Object) 1;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isInterface() && !type.isSealed()) {
            return proxy(type);
        }
        return made(type);
    }

    /** An instance by the shortest public constructor, with samples; null if there is none. */
    private @Nullable Object made(Class<?> type) {
        Constructor<?> shortest = Arrays.stream(type.getConstructors())
                .min(Comparator.comparingInt(Constructor::getParameterCount)).orElse(null);
        try {
            return shortest == null
                    ? null
                    : shortest.newInstance(
                            Arrays.stream(shortest.getParameterTypes()).map(this::sample).toArray());
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** An instance whose methods answer nothing. */
    private static <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (_, method, _) -> switch (method.getReturnType().getName()) {
                    case "boolean" -> false;
                    case "int" -> 1;
                    case "long" -> 1L;
                    case "java.util.List" -> List.of();
                    case "java.util.Optional" -> Optional.empty();
                    default -> null;
                }));
    }

    /** The public classes of a package of the core, from its folder or its archive. */
    private static List<Class<?>> classes(String name) {
        try {
            Path source = Path.of(Job.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(source)) {
                return classes(source.resolve(name.replace('.', '/')), name);
            }
            try (FileSystem archive = FileSystems.newFileSystem(source)) {
                return classes(archive.getPath(name.replace('.', '/')), name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException | java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> classes(Path folder, String name) throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String simple = file.getFileName().toString();
                if (simple.endsWith(".class") && !simple.equals("package-info.class")) {
                    Class<?> type = Class.forName(name + "." + simple.substring(0, simple.length() - 6));
                    if (Modifier.isPublic(type.getModifiers())) {
                        classes.add(type);
                    }
                }
            }
        }
        return classes;
    }
}
