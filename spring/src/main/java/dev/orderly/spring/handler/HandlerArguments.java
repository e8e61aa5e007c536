package dev.orderly.spring.handler;

import dev.orderly.job.BatchedJob;
import dev.orderly.job.Job;
import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import dev.orderly.spring.JobParam;
import dev.orderly.user.UserId;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The arguments of a handler method.
 *
 * @param payload the type as which payloads are read; {@link Payload} if the method takes none
 * @param list in the order of the method's parameters
 */
public record HandlerArguments(Type payload, List<Argument> list) {
    /** One argument of a call. */
    @FunctionalInterface
    public interface Argument {
        /** @throws Unprocessable if the job lacks what the method requires */
        @Nullable
        Object of(Object payload, Job<?> job);
    }

    public HandlerArguments {
        list = List.copyOf(list);
    }

    /**
     * The arguments that the parameters of a method ask for.
     *
     * @param type the class of the bean, which resolves type variables
     * @throws IllegalArgumentException if a parameter has no meaning; the message says which have
     */
    static HandlerArguments of(Method method, Class<?> type) {
        List<Argument> list = new ArrayList<>();
        List<Type> payloads = new ArrayList<>();
        for (int index = 0; index < method.getParameterCount(); index++) {
            MethodParameter parameter = new MethodParameter(method, index).withContainingClass(type);
            Argument given = ofJob(parameter, method.getParameters()[index]);
            if (given == null) {
                payloads.add(boxed(GenericTypeResolver.resolveType(method.getGenericParameterTypes()[index], type)));
                given = (payload, _) -> payload;
            }
            list.add(given);
        }
        if (payloads.size() > 1) {
            throw new IllegalArgumentException("Its parameters " + payloads + " would all be the payload: keep one of"
                    + " them, and mark params of the job with @JobParam");
        }
        return new HandlerArguments(payloads.isEmpty() ? Payload.class : payloads.getFirst(), list);
    }

    /**
     * The payload's type of a method that takes several jobs.
     *
     * @throws IllegalArgumentException if its only parameter is not a list of jobs
     */
    static HandlerArguments ofSeveral(Method method, Class<?> type) {
        ResolvableType only = method.getParameterCount() == 1
                ? ResolvableType.forMethodParameter(method, 0, type)
                : ResolvableType.NONE;
        if (only.resolve() != List.class || only.getGeneric().resolve() != BatchedJob.class) {
            throw new IllegalArgumentException(
                    "It has a batch and does not take several jobs: take a List<BatchedJob<T>> alone");
        }
        if (method.getReturnType() != void.class) {
            throw new IllegalArgumentException("It has a batch and returns a value, which is of no job: return nothing,"
                    + " and leave results by job().result(…)");
        }
        return new HandlerArguments(boxed(only.getGeneric(0, 0).getType()), List.of());
    }

    private static Type boxed(Type type) {
        return type instanceof Class<?> raw ? ClassUtils.resolvePrimitiveIfNecessary(raw) : type;
    }

    /** The argument that is part of the job; null for the payload. */
    private static @Nullable Argument ofJob(MethodParameter parameter, Parameter declared) {
        boolean optional = parameter.getParameterType() == Optional.class;
        Class<?> type = parameter.nestedIfOptional().getNestedParameterType();
        JobParam param = parameter.getParameterAnnotation(JobParam.class);
        if (param != null) {
            return param(param.value(), optional, type, parameter.isOptional());
        }
        if (type == UserId.class) {
            return optional
                    ? (_, job) -> job.userId()
                    : (_, job) -> present(job.userId(), parameter.isOptional(),
                            "The job belongs to no user, and its handler needs one: push it inside a UserScope or with"
                                    + " user(), or take Optional<UserId>");
        }
        return Job.class.isAssignableFrom(declared.getType()) ? (_, job) -> job : null;
    }

    private static Argument param(String name, boolean optional, Class<?> type, boolean mayLack) {
        if (name.isEmpty()) {
            if (type != Map.class) {
                throw new IllegalArgumentException("Its @JobParam without a name is a " + type.getSimpleName()
                        + ": give it a name, or take a Map<String, String>");
            }
            return (_, job) -> job.params();
        }
        if (type != String.class) {
            throw new IllegalArgumentException("Its @JobParam(\"" + name + "\") is a " + type.getSimpleName()
                    + ": take a String or an Optional<String>");
        }
        return optional
                ? (_, job) -> Optional.ofNullable(job.params().get(name))
                : (_, job) -> present(Optional.ofNullable(job.params().get(name)), mayLack,
                        "The job has no param " + name + ", and its handler needs it: push it with params(), or take"
                                + " Optional<String>");
    }

    private static @Nullable Object present(Optional<?> value, boolean mayLack, String problem) {
        if (value.isEmpty() && !mayLack) {
            throw new Unprocessable(problem);
        }
        return value.orElse(null);
    }
}
