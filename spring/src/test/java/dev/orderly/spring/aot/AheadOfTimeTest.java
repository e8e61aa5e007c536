package dev.orderly.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.testkit.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** The part of a native image's build that needs no GraalVM: code of the beans, and hints. */
class AheadOfTimeTest {
    record Mail(String to, Address address) {}

    record Address(String city) {}

    static class Handlers {
        @JobHandler("mails")
        void send(Mail mail) {}
    }

    record User(StandardQueue<Mail> queue) {}

    @Configuration(proxyBeanMethods = false)
    @Import(OrderlyAutoConfiguration.class)
    static class Application {
        @Bean
        Store store() {
            return new MemoryStore();
        }

        @Bean
        Handlers handlers() {
            return new Handlers();
        }

        @Bean
        User user(StandardQueue<Mail> queue) {
            return new User(queue);
        }
    }

    @Test
    void beansOfQueuesAreGeneratedAndMethodsPayloadsAndSqlAreKept() throws Exception {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(
                "dev.orderly.spring.aot", "Application")), files);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Application.class);
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();

        List<String> sources = files.getGeneratedFiles(Kind.SOURCE).keySet().stream().toList();
        String generated = String.join("\n", sources.stream().map(file -> content(files, file)).toList());
        assertThat(generated).contains("orderly.queue.mails").contains("forClassWithGenerics(StandardQueue.class");
        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Handlers.class, "send")).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(Address.class.getDeclaredConstructor(
                String.class))).accepts(hints);
        new OrderlyResources().registerHints(hints, null);
        assertThat(RuntimeHintsPredicates.resource().forResource("dev/orderly/store/postgres/sql/rooms.sql"))
                .accepts(hints);
    }

    private static String content(InMemoryGeneratedFiles files, String file) {
        try {
            return Objects.requireNonNull(files.getGeneratedFileContent(Kind.SOURCE, file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
