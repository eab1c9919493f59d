package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.Console;
import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleParts;
import io.entroq.console.login.LoginException;
import io.entroq.console.web.PageUrls;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.service.admin.AdminService;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.call.Service;
import io.entroq.service.feed.Feeds;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.redrive.RedriveService;
import io.entroq.service.redrive.Redrives;
import io.entroq.service.testing.Await;
import io.entroq.service.translation.Facade;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A queue in memory whose clock the test moves, its console on a real port, and a browser without
 * script. Each page that is read is checked for what no page may have.
 */
final class ServedScreens implements AutoCloseable {
  private static final Pattern FIELD =
      Pattern.compile("<input[^>]* name=\"([^\"]*)\" value=\"([^\"]*)\"");
  private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"[^\"]*\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");

  final TestEntroQ queue = TestEntroQ.open();
  final ScriptedInsight insight;
  final ScriptedPast past;
  final BoundedService service;
  private final Feeds feeds = new Feeds(queue.feed(), queue.gateway()::logId);
  private final FeedReader listener =
      queue.feed().open(FeedRequest.all(new FeedRequest.Start.Now()));
  private final Console console;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private String cookie = "";

  ServedScreens() {
    this(new NoMemberAdmin());
  }

  ServedScreens(AdminService admin) {
    this(admin, ConsoleConfig.LOCAL);
  }

  ServedScreens(AdminService admin, ConsoleConfig config) {
    Service plain = new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20);
    insight = new ScriptedInsight(feeds.before(plain));
    past = new ScriptedPast(insight);
    service = new BoundedService(new ValidatedService(new RedriveService(past, new Redrives())));
    try {
      console = Console.of(new ConsoleParts(service, admin, "a queue in memory"), config);
      server =
          HttpServer.start(
              queue.gateway(),
              HttpServerConfig.builder(0)
                  .host("localhost")
                  .withoutApi()
                  .site(PageUrls.ROOT, console.site())
                  .build(),
              UnaryOperator.identity(),
              Map.of());
    } catch (IOException | LoginException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A page that must be there. */
  String page(String path, String... parameters) {
    HttpResponse<String> response = getInTime(PageUrls.to(path, parameters));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(service.unbounded()).isEmpty();
    String page = response.body();
    assertThat(page).startsWith("<!doctype html>").contains("</html>");
    // A token is random, and may have any letters.
    assertThat(TOKEN.matcher(page).replaceAll("")).doesNotContain("null", "Optional[", "io.entroq");
    assertThat(ID.matcher(page).results().map(each -> each.group(1))).doesNotHaveDuplicates();
    assertThat(page.split("<h1>", -1)).as("one heading").hasSize(2);
    return joined(page);
  }

  /** Without the ends of lines that templates leave between tags. */
  private static String joined(String page) {
    return page.replaceAll("\\n+<", "<").replaceAll(">\\n+", ">");
  }

  /** A page that is whole: on a busy machine, the time of a page may be up before it is. */
  HttpResponse<String> getInTime(String url) {
    AtomicReference<HttpResponse<String>> response = new AtomicReference<>();
    Await.until(
        "the page is whole",
        () -> {
          response.set(get(url));
          return !response.get().body().contains("no answer within");
        });
    return response.get();
  }

  /** Sends a cookie with each later request. */
  void cookie(String cookie) {
    this.cookie = cookie;
  }

  HttpResponse<String> get(String url) {
    return send(request(url).build());
  }

  /** What a page loads of itself every five seconds. */
  HttpResponse<String> fragment(String url) {
    return send(request(url).header("hx-request", "true").build());
  }

  /**
   * Fills in the form of an action as a browser without script would, and sends it.
   *
   * @param entered names and values in turn, in place of those that the page has
   */
  HttpResponse<String> act(String action, Map<String, String> parameters, String... entered) {
    String[] pairs =
        parameters.entrySet().stream()
            .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
            .toArray(String[]::new);
    String page = page("/do/" + action, pairs);
    String form = page.substring(page.indexOf("<form method=\"post\" action=\"/console/do/"));
    form = form.substring(0, form.indexOf("</form>"));
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher found = FIELD.matcher(form);
    while (found.find()) {
      fields.put(found.group(1), unescaped(found.group(2)));
    }
    for (int i = 0; i < entered.length; i += 2) {
      fields.put(entered[i], entered[i + 1]);
    }
    return post("/console/do/" + action, fields);
  }

  HttpResponse<String> post(String url, Map<String, String> fields) {
    StringBuilder form = new StringBuilder();
    fields.forEach(
        (name, value) ->
            form.append(form.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return send(
        request(url)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .POST(HttpRequest.BodyPublishers.ofString(form.toString()))
            .build());
  }

  /** The page to which an action leads. */
  String after(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    HttpResponse<String> next = getInTime(response.headers().firstValue("location").orElseThrow());
    assertThat(next.statusCode()).as(next.body()).isEqualTo(200);
    return joined(next.body());
  }

  static String unescaped(String html) {
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  private HttpRequest.Builder request(String url) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + url));
    return cookie.isEmpty() ? request : request.header("cookie", cookie);
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    server.close();
    console.close();
    listener.close();
    feeds.close();
    queue.close();
  }
}
