package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import io.swagger.parser.OpenAPIParser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openapitools.codegen.DefaultGenerator;
import org.openapitools.codegen.config.CodegenConfigurator;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The document by other people's tools: a validator, and the client that a generator makes of it. */
class GeneratedClientTest {
    /** A program as a user of the generated client writes it. */
    private static final String PROGRAM = """
            import java.util.*;
            import org.openapitools.client.*;
            import org.openapitools.client.api.*;
            import org.openapitools.client.model.*;

            public class Program {
                public static String run(String url, String token) throws Exception {
                    ApiClient client = new ApiClient();
                    client.updateBaseUri(url);
                    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
                    JobsApi jobs = new JobsApi(client);
                    QueuesApi queues = new QueuesApi(client);
                    queues.pause("emails");
                    Pushed one = jobs.push("emails", Map.of("to", "ada"), null, "d-1", null, 1, "ada", null,
                            null, null, null, null, null, null, null, null, null, null);
                    Pushed again = jobs.push("emails", Map.of("to", "ada"), null, "d-1", null, 1, "ada", null,
                            null, null, null, null, null, null, null, null, null, null);
                    int lines = jobs.pushBatch("emails", "{\\"payload\\":1}\\n{\\"payload\\":2}\\n", null, null, null).size();
                    Jobs waiting = jobs.jobs("emails", State.WAITING, null, 10);
                    Job job = jobs.job(one.getId());
                    JobDiagnosis why = jobs.whyJob(one.getId());
                    Cancelled cancelled = jobs.cancel(one.getId());
                    String refused = "";
                    try {
                        jobs.cancel(one.getId());
                    } catch (ApiException e) {
                        refused = e.getCode() + "";
                    }
                    WorkersApi workers = new WorkersApi(client);
                    ClaimedJob claimed = workers.claim("reports", new ClaimRequest().max(1).wait("20s").lease("1m")).getJobs().get(0);
                    workers.reportDone(claimed.getId(), claimed.getToken(), Map.of("pages", "3"));
                    return String.join(" ", "" + jobs.job(claimed.getId()).getState(), "" + again.getDuplicate(), "" + lines, "" + waiting.getJobs().size(),
                            job.getUser(), "" + job.getPriority(), "" + why.getCause(), "" + cancelled.getResult(),
                            refused, "" + queues.queues().getQueues().isEmpty(),
                            "" + new RoomsApi(client).rooms().getRooms().size());
                }
            }
            """;

    @TempDir
    private Path folder = Path.of("");
    private final Node node = new Node();

    @BeforeAll
    static void quiet() {
        List.of("org.openapitools", "io.swagger").forEach(
                name -> ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name)).setLevel(Level.WARN));
    }

    @AfterEach
    void close() {
        node.close();
    }

    private Path document() throws IOException {
        JsonNode document = Contract.document().deepCopy();
        // forms of browsers: the generated client would need a library of its own for them
        ((ObjectNode) document.path("paths")).remove(List.of("/login", "/logout"));
        return Files.writeString(folder.resolve("openapi.json"), JsonMapper.shared().writeValueAsString(document));
    }

    @Test
    void aPublicValidatorFindsNothing() throws IOException {
        ParseOptions options = new ParseOptions();
        options.setResolve(true);
        assertThat(new OpenAPIParser().readLocation(document().toString(), null, options).getMessages()).isEmpty();
    }

    @Test
    void everyOperationHasItsOwnId() {
        List<String> ids = Contract.document().path("paths").findValues("operationId").stream()
                .map(JsonNode::stringValue).toList();
        assertThat(ids).doesNotHaveDuplicates().isNotEmpty();
    }

    @Test
    void aGeneratedClientPushesListsExplainsCancelsClaimsAndSettles() throws Exception {
        CodegenConfigurator settings = new CodegenConfigurator().setInputSpec(document().toString())
                .setGeneratorName("java").setLibrary("native").setOutputDir(folder.resolve("client").toString());
        settings.addAdditionalProperty("openApiNullable", "false");
        settings.addAdditionalProperty("useJakartaEe", "true");
        settings.addAdditionalProperty("annotationLibrary", "none");
        List.of("apis", "models", "supportingFiles").forEach(part -> settings.addGlobalProperty(part, ""));
        List.of("apiTests", "modelTests", "apiDocs", "modelDocs")
                .forEach(part -> settings.addGlobalProperty(part, "false"));
        List<File> generated = new DefaultGenerator().opts(settings.toClientOptInput()).generate();

        Path program = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        Path classes = compiled(Stream.concat(generated.stream().filter(file -> file.getName().endsWith(".java")),
                Stream.of(program.toFile())).toList());
        node.jobs().pull(node.orderly.queue("reports", Payload.class));
        node.orderly.start();
        node.jobs().push(PushRequest.of("reports", Payload.json("{}")));
        String url = node.atApi("").build().uri().resolve("/").toString();
        assertThat(run(classes, url.substring(0, url.length() - 1)))
                .isEqualTo("done true 2 3 ada 1 paused cancelled 409 false 1");
    }

    private Path compiled(List<File> sources) throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        Path classes = Files.createDirectory(folder.resolve("classes"));
        StringWriter messages = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(messages, files, null,
                    List.of("-proc:none", "-nowarn", "-Xlint:none", "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), "-d",
                            classes.toString()),
                    null,
                    files.getJavaFileObjectsFromFiles(sources)).call();
            assertThat(done).as(messages::toString).isTrue();
        }
        return classes;
    }

    private static Object run(Path classes, String url) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[]{classes.toUri().toURL()},
                GeneratedClientTest.class.getClassLoader())) {
            return loader.loadClass("Program").getMethod("run", String.class, String.class).invoke(null, url,
                    Node.LOCAL.text());
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
