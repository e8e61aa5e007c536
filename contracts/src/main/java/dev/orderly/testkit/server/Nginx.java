package dev.orderly.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** nginx as one process in the foreground, with all its files in a folder. */
public final class Nginx {
    private Nginx() {}

    /**
     * Writes a configuration. Blocks.
     *
     * @param name of the file, and of the file with the process id
     * @param http the content of the block {@code http}
     * @return the command that starts it
     */
    public static List<String> command(String program, Path folder, String name, String http) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".conf"), """
                daemon off; master_process off; pid %1$s/%2$s.pid; error_log stderr crit;
                events { worker_connections 4096; }
                http {
                access_log off; client_body_temp_path %1$s/b; proxy_temp_path %1$s/p;
                fastcgi_temp_path %1$s/f; uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
                %3$s
                }
                """.formatted(folder, name, http));
        return List.of(program, "-c", file.toString());
    }
}
