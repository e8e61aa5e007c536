package dev.orderly.springtest.shop;

import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.OrderlySchedule;
import dev.orderly.springtest.shop.MailServer.Mail;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
public class Mailer {
    private final MailServer server;
    private final StandardQueue<Mail> mails;

    Mailer(MailServer server, @Qualifier("mails") StandardQueue<Mail> mails) {
        this.server = server;
        this.mails = mails;
    }

    @JobHandler("mails")
    void send(Mail mail) {
        server.send(mail);
    }

    @OrderlySchedule("daily at 07:00")
    void remind() {
        mails.push(new Mail("ada@example.com", "A new day"));
    }
}
