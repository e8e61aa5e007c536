package dev.orderly.servlet.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.time.Time;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a stream whose client went away. */
class ContainerStreamTest {
    private static final ServletOutputStream UNUSED = new ServletOutputStream() {
        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int value) throws IOException {
            throw new IOException("The client is gone");
        }
    };

    /** Tomcat refuses the end while it deals with the error, and then makes a page of errors unless it is asked again. */
    @Test
    void aRequestWhoseEndTheContainerRefusedIsEndedWhenTheContainerReportsTheError() {
        AtomicInteger ends = new AtomicInteger();
        AsyncContext refusingOnce = (AsyncContext) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{AsyncContext.class}, (_, method, _) -> {
                    if (method.getName().equals("complete") && ends.incrementAndGet() == 1) {
                        throw new IllegalStateException("The request is in an error");
                    }
                    return null;
                });
        ContainerStream stream = new ContainerStream(new StreamWriter(Time.system()), refusingOnce, UNUSED);

        stream.onError(new IOException("The client is gone"));
        assertThat(stream.isOpen()).isFalse();
        stream.onError(new AsyncEvent(refusingOnce));

        assertThat(ends).hasValue(2);
    }
}
