package dev.orderly.spring.schedule;

import dev.orderly.Orderly;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueOptions;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduledHandler;
import dev.orderly.schedule.Timing;
import dev.orderly.spring.OrderlySchedule;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.PropertyProblems;
import dev.orderly.spring.handler.QueueDeclaration;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/** Declares the schedules that are methods. */
public final class ScheduleRegistrar implements QueueDeclaration {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduleRegistrar.class);
    /** Timeout of a method of Spring, which has none there; a run of a dead node is over without it. */
    private static final Duration ADOPTED_TIMEOUT = Duration.ofDays(1);

    private final ConfigurableListableBeanFactory beans;
    private final Orderly orderly;
    private final OrderlyProperties properties;

    public ScheduleRegistrar(ConfigurableListableBeanFactory beans, Orderly orderly, OrderlyProperties properties) {
        this.beans = beans;
        this.orderly = orderly;
        this.properties = properties;
    }

    @Override
    public void declareQueues() {
        PropertyProblems problems = new PropertyProblems();
        for (ScheduleMethod method : new ScheduleMethods(beans).find()) {
            problems.check(method.where(), () -> {
                declare(method);
                return true;
            }, false);
        }
        AdoptingScheduler scheduler = beans.getBeanProvider(AdoptingScheduler.class).getIfAvailable();
        problems.checkLeft("orderly.schedules", "@Scheduled", properties.getSchedules().leave(),
                properties.getSchedules().adopt(), scheduler == null ? Set.of() : scheduler.seen());
        problems.refuse();
        if (scheduler != null) {
            scheduler.passTo(this::adopt);
        }
    }

    private void declare(ScheduleMethod method) {
        Environment environment = beans.getBean(Environment.class);
        OrderlySchedule annotation = method.annotation();
        Timing timing = Timing.parse(environment.resolveRequiredPlaceholders(annotation.value()),
                zone(environment.resolveRequiredPlaceholders(annotation.zone())));
        QueueOptions options = orderly.engines().schedules().optionsFor(timing);
        String timeout = environment.resolveRequiredPlaceholders(annotation.timeout());
        declare(annotation.name().isEmpty()
                ? method.beanName() + "." + method.method().getName()
                : annotation.name(), timing,
                timeout.isEmpty() ? options : options.withTimeout(DurationStyle.detectAndParse(timeout)),
                method.handler(beans));
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("\"" + name + "\" is not a time zone: use one such as Europe/Berlin", e);
        }
    }

    private void adopt(AdoptedSchedule schedule) {
        LOG.info("@Scheduled {} runs as schedule {}, once over all nodes: {}", schedule.where(), schedule.name(),
                schedule.timing());
        declare(schedule.name().value(), schedule.timing(), orderly.engines().schedules().optionsFor(schedule.timing())
                .withTimeout(ADOPTED_TIMEOUT), _ -> run(schedule.task()));
    }

    private static void run(Runnable task) throws Exception {
        try {
            task.run();
        } catch (UndeclaredThrowableException e) {
            if (e.getUndeclaredThrowable() instanceof Exception declared) {
                throw declared;
            }
            throw e;
        }
    }

    /** Without handlers only the queue is declared, whose properties are in force in all processes alike. */
    private void declare(String name, Timing timing, QueueOptions options, ScheduledHandler handler) {
        ScheduleName checked = new ScheduleName(name);
        if (properties.getHandlers().enabled()) {
            if (orderly.schedules().isDeclared(checked)) {
                throw new IllegalArgumentException("There is a schedule " + name
                        + " already: give this one another name");
            }
            orderly.schedule(name, timing, _ -> options, handler);
        } else {
            orderly.engines().jobs().queue(checked.queue().value(), Payload.class, options);
        }
    }
}
