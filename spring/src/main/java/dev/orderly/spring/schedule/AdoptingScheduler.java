package dev.orderly.spring.schedule;

import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.handler.DeferredResults;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * In the place of Spring's own processor of {@link Scheduled}: collects the methods whose instants all nodes agree on,
 * for Orderly, and leaves the others to Spring. Thread-safe.
 */
public final class AdoptingScheduler extends ScheduledAnnotationBeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(AdoptingScheduler.class);
    private static final ScopedValue<Processed> PROCESSED = ScopedValue.newInstance();
    private static final int NAME_MAX = 71;
    private static final String FIFO = ".fifo";

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ScheduleName, AdoptedSchedule> adopted = new LinkedHashMap<>();
    private final Set<String> seen = new TreeSet<>();
    private @Nullable Consumer<AdoptedSchedule> receiver;
    private StringValueResolver resolver = text -> text;
    private @Nullable BeanFactory beans;

    /** A bean whose methods are processed on this thread, with the number of annotations of each method so far. */
    private record Processed(String bean, Map<Method, Integer> counts) {}

    @Override
    public void setEmbeddedValueResolver(StringValueResolver value) {
        super.setEmbeddedValueResolver(value);
        resolver = value;
    }

    @Override
    public void setBeanFactory(BeanFactory value) {
        super.setBeanFactory(value);
        beans = value;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return ScopedValue.where(PROCESSED, new Processed(beanName, new HashMap<>()))
                .call(() -> super.postProcessAfterInitialization(bean, beanName));
    }

    @Override
    protected void processScheduled(Scheduled scheduled, Method method, Object bean) {
        Processed processed = PROCESSED.get();
        int count = processed.counts.merge(method, 1, Integer::sum);
        String plain = processed.bean + "." + method.getName();
        AdoptedSchedule schedule = null;
        try {
            if (!isLeft(plain) && isRepeated(scheduled)) {
                schedule = new AdoptedSchedule(name(plain, count), timing(scheduled, method), plain,
                        createRunnable(bean, method, scheduled.scheduler()));
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("@Scheduled {} stays with Spring and runs on every node: {}. If that is right, list it in"
                    + " orderly.schedules.leave; otherwise use a cron expression or @OrderlySchedule", plain,
                    e.getMessage());
        }
        if (schedule == null || !collect(schedule)) {
            super.processScheduled(scheduled, method, bean);
        }
    }

    private boolean isLeft(String name) {
        lock.lock();
        try {
            seen.add(name);
        } finally {
            lock.unlock();
        }
        return Objects.requireNonNull(beans).getBean(OrderlyProperties.class).getSchedules().leave().contains(name);
    }

    /** Not of a task that runs once, and not of one that is switched off. */
    private boolean isRepeated(Scheduled scheduled) {
        return StringUtils.hasText(scheduled.cron())
                ? !Scheduled.CRON_DISABLED.equals(resolved(scheduled.cron()))
                : isRate(scheduled) || isDelay(scheduled);
    }

    private static boolean isRate(Scheduled scheduled) {
        return scheduled.fixedRate() >= 0 || StringUtils.hasText(scheduled.fixedRateString());
    }

    private static boolean isDelay(Scheduled scheduled) {
        return scheduled.fixedDelay() >= 0 || StringUtils.hasText(scheduled.fixedDelayString());
    }

    private Timing timing(Scheduled scheduled, Method method) {
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class)
                || DeferredResults.isDeferred(method.getReturnType())) {
            throw new IllegalArgumentException("it returns before its work is done, so that its end is not known");
        }
        if (StringUtils.hasText(scheduled.cron())) {
            String zone = resolved(scheduled.zone());
            return AdoptedTiming.cron(resolved(scheduled.cron()),
                    zone.isEmpty() ? ZoneId.systemDefault() : StringUtils.parseTimeZoneString(zone).toZoneId());
        }
        return isDelay(scheduled)
                ? Timing.afterTheEnd(interval(scheduled, scheduled.fixedDelay(), scheduled.fixedDelayString()))
                : Timing.every(interval(scheduled, scheduled.fixedRate(), scheduled.fixedRateString()));
    }

    private Duration interval(Scheduled scheduled, long number, String text) {
        return number >= 0
                ? Duration.of(number, scheduled.timeUnit().toChronoUnit())
                : DurationFormatterUtils.detectAndParse(resolved(text),
                        DurationFormat.Unit.fromChronoUnit(scheduled.timeUnit().toChronoUnit()));
    }

    private String resolved(String text) {
        return Objects.requireNonNullElse(resolver.resolveStringValue(text), "").strip();
    }

    /** Bean and method, with a number for the second and further annotations of the method. */
    private static ScheduleName name(String plain, int count) {
        String full = plain.replaceAll("[^A-Za-z0-9_.-]", "-") + (count == 1 ? "" : "-" + count);
        String name = full.substring(Math.max(0, full.length() - NAME_MAX)).replaceFirst("^[^A-Za-z0-9]+", "");
        return new ScheduleName(name.endsWith(FIFO) ? name.replace(FIFO, "-fifo") : name);
    }

    /** Whether the schedule is new; false for a further instance of a bean. */
    private boolean collect(AdoptedSchedule schedule) {
        Consumer<AdoptedSchedule> open;
        lock.lock();
        try {
            if (adopted.putIfAbsent(schedule.name(), schedule) != null) {
                LOG.warn("@Scheduled {} stays with Spring and runs on every node: another bean has the schedule {}",
                        schedule.where(), schedule.name());
                return false;
            }
            open = receiver;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.accept(schedule);
        }
        return true;
    }

    /** Passes each schedule on: the known ones now, the schedules of beans that are created later as they come. */
    void passTo(Consumer<AdoptedSchedule> consumer) {
        Map<ScheduleName, AdoptedSchedule> known;
        lock.lock();
        try {
            known = new LinkedHashMap<>(adopted);
            receiver = consumer;
        } finally {
            lock.unlock();
        }
        known.values().forEach(consumer);
    }

    /** The names of all methods with {@link Scheduled} so far. */
    Set<String> seen() {
        lock.lock();
        try {
            return new TreeSet<>(seen);
        } finally {
            lock.unlock();
        }
    }
}
