package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleConfig.LoginKind;
import io.entroq.console.action.Action;
import io.entroq.console.action.Actions;
import io.entroq.console.action.JobBook;
import io.entroq.console.user.Role;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.call.Method;
import io.entroq.service.call.Principal;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** What users of each role see and may do. */
class ScreenRolesTest {
  private static final List<String> FOR_ADMINISTRATORS =
      List.of("clear", "policy", "drop-policy", "snapshot");

  private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

  @TempDir private Path directory;
  private ServedScreens screens;
  private Task task;

  @BeforeEach
  void open() throws IOException {
    String hash = BCrypt.hashpw("secret", BCrypt.gensalt("$2y", 4));
    StringBuilder users = new StringBuilder();
    for (Role role : Role.values()) {
      users.append("%s:%s:%s\n".formatted(role.label(), hash, role.label()));
    }
    ConsoleConfig config =
        new ConsoleConfig(
            LoginKind.FILE,
            Optional.of(Files.writeString(directory.resolve("users"), users)),
            Optional.empty(),
            Optional.empty(),
            List.of("/card"));
    screens = new ServedScreens(new NoMemberAdmin(), config);
    task =
        screens
            .queue
            .modify(
                Modification.insert(
                    "q/err", Value.json("{\"card\":\"1234-5678\",\"name\":\"ann\"}")))
            .orThrow()
            .inserted()
            .get(0);
  }

  @AfterEach
  void close() {
    screens.close();
  }

  private void logIn(Role role) {
    HttpResponse<String> response =
        screens.post("/console/login", Map.of("name", role.label(), "password", "secret"));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    String cookie = response.headers().firstValue("set-cookie").orElseThrow();
    screens.cookie(cookie.substring(0, cookie.indexOf(';')));
  }

  /** A token that the user's forms have; that of the log-out is on each page. */
  private String token() {
    Matcher token = TOKEN.matcher(screens.get("/console/task").body());
    assertThat(token.find()).isTrue();
    return token.group(1);
  }

  private static List<Action> actions() {
    try (JobBook jobs = new JobBook()) {
      return Actions.all(jobs);
    }
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void shouldDoNothingThatARoleMayNotDo(Role role) {
    logIn(role);
    Map<String, String> form = new HashMap<>();
    form.put("csrf", token());
    form.put("name", "q/err");
    form.put("from", "q/err");
    form.put("id", task.id().text());
    // A version that nothing has, so that no action that is permitted does anything.
    form.put("version", "77");
    form.put("limit", "none");
    form.put("seconds", "none");
    List<String> denied = new ArrayList<>();
    for (Action action : actions()) {
      String url = "/console/do/" + action.path();
      int asked =
          screens.get(url + "?name=q%2Ferr&from=q%2Ferr&id=" + task.id().text()).statusCode();
      int before = screens.service.writes().size();
      HttpResponse<String> sent = screens.post(url, form);
      assertThat(sent.statusCode() == 403).as(action.path()).isEqualTo(asked == 403);
      if (asked == 403) {
        denied.add(action.path());
        assertThat(sent.body()).contains("Your role is " + role.label() + ". This needs ");
        assertThat(screens.service.writes()).hasSize(before);
      }
    }
    List<String> all = actions().stream().map(Action::path).toList();
    assertThat(denied)
        .containsExactlyElementsOf(
            switch (role) {
              case VIEWER -> all;
              case OPERATOR -> all.stream().filter(FOR_ADMINISTRATORS::contains).toList();
              case ADMIN -> List.<String>of();
            });
    assertThat(screens.queue.queues(QueueQuery.all())).containsEntry("q/err", 1L);
  }

  @Test
  void shouldOfferNothingToViewersAndHideWhatIsMasked() {
    logIn(Role.VIEWER);
    for (String path :
        List.of("", "/queues", "/dead", "/workers", "/cluster", "/time", "/policies", "/jobs")) {
      assertThat(screens.page(path)).as(path).doesNotContain("/console/do/");
    }
    assertThat(screens.page("/dead", "queue", "q/err")).doesNotContain("/console/do/");
    assertThat(screens.page("/queue", "name", "q/err")).doesNotContain("/console/do/");
    assertThat(screens.page("/policy", "target", "limiter", "name", "a"))
        .doesNotContain("/console/do/");
    assertThat(screens.page("/task", "id", task.id().text()))
        .contains("hidden", "\"ann\"")
        .doesNotContain("1234", "/console/do/");
    // A step that the feed has: it would wait for a later one.
    screens.past.show(1, 0);
    assertThat(screens.page("/task", "id", task.id().text(), "at", "1"))
        .contains("after step 1.", "hidden", "\"ann\"")
        .doesNotContain("1234");
    // For an authorizer, as of now.
    assertThat(screens.past.caller().map(Principal::subject)).contains(Role.VIEWER.label());
    logIn(Role.OPERATOR);
    assertThat(screens.page("/task", "id", task.id().text())).contains("1234-5678", "Retry now");
    assertThat(screens.page("/task", "id", task.id().text(), "at", "1"))
        .contains("1234-5678")
        .doesNotContain("Retry now");
    assertThat(screens.page("/queue", "name", "q/err")).contains("Pause").doesNotContain("Clear");
    assertThat(screens.page("/policy", "target", "limiter", "name", "a"))
        .contains("Pause")
        .doesNotContain("Edit it");
    logIn(Role.ADMIN);
    assertThat(screens.page("/queue", "name", "q/err")).contains("Clear it", "Edit its policy");
    assertThat(screens.page("/policy", "target", "limiter", "name", "a")).contains("Edit it");
  }

  @Test
  void shouldShowJobsOfOthersToThoseAloneWhoMayReadAllQueues() {
    logIn(Role.OPERATOR);
    screens.after(screens.act("discard", Map.of("from", "q/err")));
    assertThat(screens.page("/jobs")).contains("Delete dead tasks of q/err");
    logIn(Role.VIEWER);
    assertThat(screens.page("/jobs"))
        .contains("Delete dead tasks of q/err", "operator#console")
        .doesNotContain("/console/do/");
    // Whoever may not read all queues gets no overview.
    screens.service.refuse(Method.OVERVIEW);
    assertThat(screens.page("/jobs"))
        .contains("Only your own are shown: on purpose.")
        .doesNotContain("q/err");
    logIn(Role.OPERATOR);
    assertThat(screens.page("/jobs")).contains("Delete dead tasks of q/err");
  }

  @Test
  void shouldNameTheUserInTheHistory() {
    logIn(Role.OPERATOR);
    Map<String, String> shown = Map.of("id", task.id().text(), "version", "0");
    String page = screens.after(screens.act("delay", shown, "seconds", "60"));
    assertThat(page).contains("<td>operator#console</td>");
  }
}
