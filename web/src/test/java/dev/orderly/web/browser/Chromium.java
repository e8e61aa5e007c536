package dev.orderly.web.browser;

import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.TestFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.slf4j.LoggerFactory;

/** An installed Chromium without a window, with a profile of its own. Nothing is downloaded. */
public final class Chromium implements AutoCloseable {
    private static final Optional<Path> BROWSER = Stream.of("chromium", "chromium-browser", "google-chrome")
            .flatMap(name -> ChildProcess.installed(name).stream()).findFirst();
    private static final Optional<Path> DRIVER = ChildProcess.installed("chromedriver");
    /**
     * Reduced motion: a page with an endless animation is drawn anew all the time, which costs most of the time.
     * Scripts are not optimised: each page lives for seconds.
     */
    private static final List<String> FLAGS = List.of("--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-quic", "--force-prefers-reduced-motion", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--autoplay-policy=no-user-gesture-required", "--js-flags=--no-opt,--no-maglev,--single-threaded-gc");

    private static final String NONE = "no chromium and chromedriver on the PATH";
    private static final AtomicBoolean SAID = new AtomicBoolean();
    private static final Duration START = Duration.ofMinutes(1);

    private final ChromeDriver driver;
    private final Path profile;

    private Chromium(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    /** Whether Chromium and its driver are installed; a loud line says once that they are not. */
    public static boolean isInstalled() {
        boolean installed = BROWSER.isPresent() && DRIVER.isPresent();
        if (!installed && SAID.compareAndSet(false, true)) {
            LoggerFactory.getLogger(Chromium.class).error("NOT TESTED IN A BROWSER: {}", NONE);
        }
        return installed;
    }

    /** A fresh one. Skips the test where none is installed. */
    public static Chromium start(String... moreFlags) throws IOException {
        return start(Map.of(), moreFlags);
    }

    /** One whose user lets no site keep cookies. */
    public static Chromium withoutCookies() throws IOException {
        return start(Map.of("profile.default_content_setting_values.cookies", 2));
    }

    private static Chromium start(Map<String, Object> preferences, String... moreFlags) throws IOException {
        Assumptions.assumeTrue(isInstalled(), NONE);
        Path profile = TestFolders.create("chromium");
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("--user-data-dir=" + profile);
        flags.addAll(Arrays.asList(moreFlags));
        ChromeOptions options = new ChromeOptions().setBinary(BROWSER.orElseThrow().toFile()).addArguments(flags)
                .setExperimentalOption("prefs", preferences);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.orElseThrow().toFile())
                .usingPort(FreePort.find()).withTimeout(START).build();
        return new Chromium(new ChromeDriver(service, options), profile);
    }

    /** As a phone or a desktop would see it, light or dark. */
    public void device(int width, int height, double scale, boolean dark) {
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", Map.of("width", width, "height", height,
                "deviceScaleFactor", scale, "mobile", width < 600));
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name",
                "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** Takes effect with the next page. */
    public void script(boolean on) {
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !on));
    }

    public void open(String address) {
        driver.get(address);
    }

    /** A further tab, which is the one that is used from now on. */
    public String newTab(String address) {
        driver.switchTo().newWindow(WindowType.TAB).get(address);
        return driver.getWindowHandle();
    }

    /** The tab that is used now. */
    public String tab() {
        return driver.getWindowHandle();
    }

    /** The handles of all tabs. */
    public Set<String> tabs() {
        return driver.getWindowHandles();
    }

    public void useTab(String tab) {
        driver.switchTo().window(tab);
    }

    /** Closes the tab that is used, and uses another. */
    public void closeTab(String other) {
        driver.close();
        useTab(other);
    }

    public String title() {
        return String.valueOf(driver.getTitle());
    }

    public WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    /** The text as it is seen; empty for what is hidden. */
    public String text(String css) {
        return find(css).getText();
    }

    /** The cookies of the page's host, also the cookies that its script cannot see. */
    public Set<Cookie> cookies() {
        return driver.manage().getCookies();
    }

    /** What an expression gives in the page; works where the page's own script is off. */
    public @Nullable Object eval(String expression) {
        return driver.executeScript("return " + expression);
    }

    /** What a script hands to its last argument, a callback. */
    public @Nullable Object evalLater(String script) {
        return driver.executeAsyncScript(script);
    }

    /** Keys for the element that has the focus. */
    public void type(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** A PNG of the window, or of the whole page. */
    public byte[] screenshot(boolean whole) {
        Map<String, Object> answer = driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png",
                "captureBeyondViewport", whole));
        return Base64.getDecoder().decode((String) answer.get("data"));
    }

    /** A cookie of the page's host. */
    public void addCookie(String name, String value) {
        driver.manage().addCookie(new Cookie(name, value));
    }

    /** Removes the cookies of all sites. */
    public void forgetCookies() {
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
    }

    public void removeCookie(String name) {
        driver.manage().deleteCookieNamed(name);
    }

    /** The messages of its console since they were last asked for, those of refused content among them. */
    public List<String> console() {
        return driver.manage().logs().get("browser").getAll().stream().map(Object::toString).toList();
    }

    @Override
    public void close() {
        driver.quit();
        TestFolders.remove(profile);
    }
}
