package dev.orderly.spring.page;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.StandardQueue;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.OrderlySchedule;
import dev.orderly.user.UserId;
import dev.orderly.user.UserSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The examples of docs/spring.md, word for word; {@link PageExamplesTest} compares them. Never instantiated. */
@SuppressWarnings({"ClassCanBeStatic", "NullAway", "unused"}) // as a reader sees them, each is a class of its own
abstract class SpringExamples {
    abstract static class Smtp {
        abstract void send(String to, String text);
    }

    abstract static class Repository<T> {
        abstract void save(T value);

        abstract List<Mail> all();
    }

    record User(String address) {}

    record Profile(String name) {}

    record Payment(String booking) {}

    record SignedUp(String address) {}

    final Smtp smtp;
    final Repository<User> users;
    final Repository<String> accounts;
    final Repository<Mail> subscribers;
    final StandardQueue<Mail> mails;
    final Bank bank;
    final Shop shop;

    SpringExamples(Smtp smtp, Repository<User> users, Repository<String> accounts, Repository<Mail> subscribers,
            StandardQueue<Mail> mails, Bank bank, Shop shop) {
        this.smtp = smtp;
        this.users = users;
        this.accounts = accounts;
        this.subscribers = subscribers;
        this.mails = mails;
        this.bank = bank;
        this.shop = shop;
    }

    record Order(long total) {}

    record Approval(boolean ok) {}

    record Charge(String number) {}

    interface Bank {
        Charge charge(Order order);
    }

    interface Shop {
        void ship(Order order, Charge charge);
    }

    @Component
    class Orders {
        @JobHandler("orders.fifo")
        void run(Order order, Job<Order> job) {
            if (order.total() > 1_000) {
                Optional<Approval> answer = job.await("approval", Approval.class, Duration.ofDays(7));
                if (answer.isEmpty()) {
                    job.step("ask", () -> smtp.send("manager@shop.example", job.eventUrl("approval").toString()));
                    return;
                }
            }
            Charge charge = job.step("charge", Charge.class, () -> bank.charge(order));
            shop.ship(order, charge);
        }
    }

    record Mail(String to, String text) {}

    @Component
    class Mailer {
        @JobHandler("mails")
        void send(Mail mail) {
            smtp.send(mail.to(), mail.text());
        }
    }

    @Service
    class Signup {
        private final StandardQueue<Mail> mails;

        Signup(StandardQueue<Mail> mails) {
            this.mails = mails;
        }

        @Transactional
        public void signUp(User user) {
            users.save(user);
            mails.push(new Mail(user.address(), "Welcome"));
        }
    }

    @JobHandler(value = "update_profile.fifo", timeout = "30s", concurrency = 8,
            retry = @JobHandler.Retry(attempts = 5, base = "2s"))
    abstract void save(Profile profile);

    @Bean
    FifoQueue<Profile> profiles(Orderly orderly) {
        return orderly.fifo("update_profile.fifo", Profile.class);
    }

    @JobHandler(value = "payments", inTransaction = true)
    void book(Payment payment) {
        accounts.save(payment.booking());
    }

    @TransactionalEventListener
    void signedUp(SignedUp event) {
        mails.push(new Mail(event.address(), "Welcome"));
    }

    @Bean
    UserSource users() {
        return () -> Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                .map(Authentication::getPrincipal)
                .filter(Jwt.class::isInstance).map(Jwt.class::cast)
                .map(Jwt::getSubject).map(UserId::new);
    }

    @TestConfiguration(proxyBeanMethods = false)
    class Containers {
        @Bean
        @ServiceConnection
        PostgreSQLContainer postgres() {
            return new PostgreSQLContainer("postgres:18");
        }
    }

    @OrderlySchedule(value = "daily at 07:00", zone = "Europe/Berlin", timeout = "20m")
    void remind(ScheduledRun run) {
        subscribers.all().forEach(mails::push);
    }
}
