package dev.orderly.testkit.contract.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The promises of every public method and constructor of a module, outside packages marked internal: null is refused
 * by an exception that names the parameter, unless the parameter is {@code @Nullable}; what may be null works with
 * null; a value keeps a copy of each collection or array, and hands out none that changes it. So null never means "not
 * set", and no caller is harmed by what it does with its own list afterwards.
 */
public abstract class PublicApiContract {
    private final Samples samples = new Samples();
    private final Class<?> member;
    private final int least;
    /** What is left out, with the reasons. */
    private final Map<String, String> except = new TreeMap<>();
    private final Map<String, String> shared = new TreeMap<>();

    /**
     * The contract for one module.
     *
     * @param member any class of the module
     * @param least a number of parameters that must have been null, so that a search that finds nothing fails
     */
    protected PublicApiContract(Class<?> member, int least) {
        this.member = member;
        this.least = least;
    }

    /** Where this test adds what no public constructor makes. */
    protected final Samples samples() {
        return samples;
    }

    /**
     * Leaves out what no application calls.
     *
     * @param names types with those inside them, and packages by their name with {@code .*} at its end
     */
    protected final void except(String reason, String... names) {
        Stream.of(names).forEach(name -> except.put(name, reason));
    }

    /**
     * Leaves out types that say that they keep or hand out an array that is not copied, from that promise alone.
     *
     * @param names types with those inside them
     */
    protected final void shared(String reason, String... names) {
        Stream.of(names).forEach(name -> shared.put(name, reason));
    }

    @Test
    void nullIsRefusedByTheNameOfTheParameter() {
        Set<String> wrong = new TreeSet<>();
        int called = 0;
        for (Class<?> type : types()) {
            for (Executable each : members(type)) {
                Parameter[] parameters = each.getParameters();
                for (int n = 0; n < parameters.length; n++) {
                    if (parameters[n].getType().isPrimitive() || mayBeNull(parameters[n])) {
                        continue;
                    }
                    called++;
                    Outcome outcome = call(type, each, n);
                    if (!outcome.isRefusalOf(parameters[n].getName())) {
                        wrong.add(where(type, each) + " with " + parameters[n].getName() + " null: " + outcome.text());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(called).as("parameters that were null").isGreaterThanOrEqualTo(least);
    }

    @Test
    void whatMayBeNullWorksWithNull() {
        Set<String> wrong = new TreeSet<>();
        for (Class<?> type : types()) {
            for (Executable each : members(type)) {
                Parameter[] parameters = each.getParameters();
                for (int n = 0; n < parameters.length; n++) {
                    if (mayBeNull(parameters[n])) {
                        Outcome outcome = call(type, each, n);
                        if (outcome.missing() || outcome.thrown() instanceof NullPointerException) {
                            wrong.add(where(type, each) + " with " + parameters[n].getName() + " null: "
                                    + outcome.text());
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aValueKeepsAndHandsOutNoCollectionThatChangesIt() {
        Set<String> wrong = new TreeSet<>();
        for (Class<?> type : types()) {
            if (shared.keySet().stream().anyMatch(name -> isNamed(name, type))) {
                continue;
            }
            if (type.isRecord()) {
                checkKept(type, wrong);
            }
            checkKeptByMethods(type, wrong);
            Object instance = samples.of(type);
            if (instance != null && !type.isEnum()) {
                checkHandedOut(type, instance, wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Changes what a record was made of, and looks whether the record has changed with it. */
    private void checkKept(Class<?> type, Set<String> wrong) {
        RecordComponent[] components = type.getRecordComponents();
        if (Arrays.stream(components).noneMatch(each -> Samples.isContainer(each.getType()))
                || type.getConstructors().length == 0) {
            return;
        }
        try {
            Object sample = samples.of(type);
            @Nullable
            Object[] arguments = new Object[components.length];
            for (int n = 0; n < components.length; n++) {
                Object value = sample == null ? null : components[n].getAccessor().invoke(sample);
                arguments[n] = Samples.isContainer(components[n].getType())
                        ? samples.changeable(components[n].getType(), components[n].getGenericType(), value)
                        : value;
            }
            Object made = type.getConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
                    .newInstance(arguments);
            Map<String, Object> before = handedOut(type, made);
            Arrays.stream(arguments).forEach(PublicApiContract::change);
            if (!before.equals(handedOut(type, made))) {
                wrong.add(type.getName() + " keeps what the caller passed");
            }
        } catch (ReflectiveOperationException e) {
            wrong.add(type.getName() + ": not made of samples: " + Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    /** Changes what a method of a class was given that answers another value of the class, as {@code with} does. */
    private void checkKeptByMethods(Class<?> type, Set<String> wrong) {
        for (Executable each : members(type)) {
            Parameter[] parameters = each.getParameters();
            Object instance = Modifier.isStatic(each.getModifiers()) ? "" : samples.of(type);
            if (each instanceof Method method && method.getReturnType() == type && instance != null
                    && Arrays.stream(parameters).anyMatch(one -> Samples.isContainer(one.getType()))) {
                @Nullable
                Object[] arguments = Arrays.stream(parameters)
                        .map(one -> Samples.isContainer(one.getType())
                                ? samples.changeable(one.getType(), one.getParameterizedType(), null)
                                : samples.of(one.getType()))
                        .toArray();
                try {
                    Object made = method.invoke(instance, arguments);
                    Map<String, Object> before = handedOut(type, made);
                    Arrays.stream(arguments).forEach(PublicApiContract::change);
                    if (!before.equals(handedOut(type, made))) {
                        wrong.add(where(type, each) + " keeps what the caller passed");
                    }
                } catch (InvocationTargetException e) {
                    // Refuses these samples.
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(each.toString(), e);
                }
            }
        }
    }

    /** What the methods of a value without parameters answer, as far as it is a collection, a map or an array. */
    private static Map<String, Object> handedOut(Class<?> type, Object value) throws ReflectiveOperationException {
        Map<String, Object> all = new TreeMap<>();
        for (Method method : type.getDeclaredMethods()) {
            if (method.getParameterCount() == 0 && Modifier.isPublic(method.getModifiers())
                    && !Modifier.isStatic(method.getModifiers()) && Samples.isContainer(method.getReturnType())) {
                all.put(method.getName(), contents(method.invoke(value)));
            }
        }
        return all;
    }

    /** Changes what a method hands out, and looks whether the method hands out the change. */
    private static void checkHandedOut(Class<?> type, Object instance, Set<String> wrong) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getParameterCount() > 0 || !Modifier.isPublic(method.getModifiers()) || method.isSynthetic()
                    || !Samples.isContainer(method.getReturnType())) {
                continue;
            }
            try {
                Object handed = method.invoke(instance);
                Object before = contents(handed);
                change(handed);
                Object changed = contents(handed);
                if (!before.equals(changed) && changed.equals(contents(method.invoke(instance)))) {
                    wrong.add(type.getName() + "." + method.getName() + "() hands out what changes it");
                }
            } catch (InvocationTargetException e) {
                // Not to be asked in this state, or of this sample.
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(method.toString(), e);
            }
        }
    }

    private static Object contents(@Nullable Object container) {
        if (container == null) {
            return "null";
        }
        if (container.getClass().isArray()) {
            List<@Nullable Object> all = new ArrayList<>();
            for (int n = 0; n < Array.getLength(container); n++) {
                all.add(Array.get(container, n));
            }
            return all;
        }
        return container instanceof Map<?, ?> map
                ? Map.copyOf(map)
                : container instanceof Set<?> set ? new HashSet<>(set) : List.copyOf((Collection<?>) container);
    }

    private static void change(@Nullable Object container) {
        if (container == null || (!container.getClass().isArray() && !(container instanceof Map)
                && !(container instanceof Collection))) {
            return;
        }
        if (container.getClass().isArray()) {
            if (Array.getLength(container) > 0) {
                Class<?> of = container.getClass().getComponentType();
                Array.set(container, 0, of == byte.class ? (byte) 7 : of == int.class ? (Object) 7 : null);
            }
            return;
        }
        try {
            if (container instanceof Map<?, ?> map) {
                map.clear();
            } else {
                ((Collection<?>) container).clear();
            }
        } catch (UnsupportedOperationException e) {
            // Cannot be changed.
        }
    }

    private List<Class<?>> types() {
        List<Class<?>> types = PublicTypes.of(member);
        assertThat(except.keySet()).as("exceptions for what is not there").allSatisfy(
                name -> assertThat(types).anyMatch(type -> isNamed(name, type)));
        return types.stream().filter(type -> except.keySet().stream().noneMatch(name -> isNamed(name, type))).toList();
    }

    private static boolean isNamed(String name, Class<?> type) {
        return name.endsWith(".*")
                ? type.getPackageName().equals(name.substring(0, name.length() - 2))
                : type.getName().equals(name) || type.getName().startsWith(name + "$");
    }

    private static List<Executable> members(Class<?> type) {
        List<Executable> members = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            members.addAll(Arrays.asList(type.getConstructors()));
        }
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isAbstract(method.getModifiers()) && !method.isSynthetic()
                        && !(type.isEnum() && method.getName().equals("valueOf")) && !isOfAnotherRule(type, method))
                .forEach(members::add);
        return members;
    }

    /** Whether a method has the rule of another library's type, which calls it, or of a port of stores. */
    private static boolean isOfAnotherRule(Class<?> type, Method method) {
        return supertypes(type).anyMatch(above -> (!above.getName().startsWith("dev.orderly.")
                || above.getPackageName().endsWith(".store")) && Arrays.stream(above.getDeclaredMethods())
                        .anyMatch(other -> other.getName().equals(method.getName())
                                && other.getParameterCount() == method.getParameterCount()
                                && !Modifier.isPrivate(other.getModifiers())));
    }

    private static Stream<Class<?>> supertypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .flatMap(above -> Stream.concat(Stream.of(above), supertypes(above)));
    }

    private static String where(Class<?> type, Executable each) {
        return type.getName() + "." + (each instanceof Constructor ? "new" : each.getName()) + "("
                + String.join(", ", Arrays.stream(each.getParameters()).map(Parameter::getName).toList()) + ")";
    }

    private static boolean mayBeNull(Parameter parameter) {
        return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /**
     * What a call led to.
     *
     * @param missing whether there was no sample to call it with
     */
    private record Outcome(boolean missing, @Nullable Throwable thrown) {
        /** Whether an exception names the parameter, as {@code requireNonNull} and the virtual machine write it. */
        boolean isRefusalOf(String parameter) {
            return thrown instanceof NullPointerException && (parameter.equals(thrown.getMessage())
                    || String.valueOf(thrown.getMessage()).endsWith("because \"" + parameter + "\" is null"));
        }

        String text() {
            return missing ? "the test has no sample of a type" : String.valueOf(thrown);
        }
    }

    /** Calls a member with null for one parameter and samples for the others. */
    private Outcome call(Class<?> type, Executable each, int isNull) {
        Parameter[] parameters = each.getParameters();
        @Nullable
        Object[] arguments = new Object[parameters.length];
        for (int n = 0; n < parameters.length; n++) {
            if (n != isNull) {
                arguments[n] = samples.of(parameters[n].getType());
                if (arguments[n] == null && !mayBeNull(parameters[n])) {
                    return new Outcome(true, null);
                }
            }
        }
        Object instance = each instanceof Constructor || Modifier.isStatic(each.getModifiers())
                ? ""
                : samples.of(type);
        if (instance == null) {
            return new Outcome(true, null);
        }
        try {
            if (each instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                ((Method) each).invoke(instance, arguments);
            }
            return new Outcome(false, null);
        } catch (InvocationTargetException e) {
            return new Outcome(false, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(each.toString(), e);
        }
    }
}
