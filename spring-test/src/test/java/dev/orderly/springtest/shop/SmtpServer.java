package dev.orderly.springtest.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** No part of a slice. */
@Component
public class SmtpServer implements MailServer {
    public final List<Mail> sent = new CopyOnWriteArrayList<>();

    @Override
    public void send(Mail mail) {
        sent.add(mail);
    }
}
