package dev.orderly.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletRegistration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;

final class TomcatContainer implements Container {
    /** Kept: the JDK forgets the level of a logger that nobody holds. */
    private static final Logger LOG = Logger.getLogger("org.apache");

    private final Tomcat tomcat = new Tomcat();

    TomcatContainer(String context, Parts parts) {
        try {
            tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxThreads", Integer.toString(parts.threads()));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        if (parts.lenient()) {
            tomcat.getConnector().setProperty("relaxedPathChars", "\\");
            tomcat.getConnector().setAllowBackslash(true);
            tomcat.getConnector().setEncodedSolidusHandling("decode");
        }
        LOG.setLevel(Level.WARNING);
        Context app = tomcat.addContext(context, null);
        if (app instanceof StandardContext standard) { // no reflection into the JDK at the end
            standard.setClearReferencesThreadLocals(false);
            standard.setClearReferencesRmiTargets(false);
        }
        ServletContainerInitializer initializer = (_, servlets) -> {
            parts.filters().forEach((name, filter) -> {
                FilterRegistration.Dynamic added = servlets.addFilter(name, filter);
                added.setAsyncSupported(true);
                added.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
            });
            parts.servlets().forEach((mapping, servlet) -> {
                ServletRegistration.Dynamic added = servlets.addServlet(mapping, servlet);
                added.setAsyncSupported(true);
                added.addMapping(mapping);
            });
        };
        app.addServletContainerInitializer(initializer, Set.of());
        app.addServletContainerInitializer(new WsSci(), Set.of());
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }
}
