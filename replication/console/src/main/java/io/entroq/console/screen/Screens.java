package io.entroq.console.screen;

import io.entroq.console.action.Action;
import io.entroq.console.action.Actions;
import io.entroq.console.action.FailureWords;
import io.entroq.console.action.JobBook;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.read.Reads;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.ValueMask;
import io.entroq.console.view.Frame;
import io.entroq.console.view.Frame.Section;
import io.entroq.console.view.Page;
import io.entroq.console.view.jte.JtepageGenerated;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageRequest;
import io.entroq.console.web.PageResponse;
import io.entroq.console.web.Parameters;
import io.entroq.console.web.Router;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** All pages and actions. Close it before the service. */
public final class Screens implements AutoCloseable {
  /** How long an action waits for its write. */
  private static final Duration ACTION_PATIENCE = Duration.ofSeconds(10);

  private final ScreenParts parts;
  private final ScreenPool pool = new ScreenPool();
  private final JobBook jobs = new JobBook();

  private Screens(ScreenParts parts) {
    this.parts = parts;
  }

  /** Adds all pages. */
  public static Screens addTo(Router router, ScreenParts parts) {
    Screens screens = new Screens(parts);
    screens.add(
        router, "", Section.OVERVIEW, new OverviewScreen(parts.description(), screens.jobs));
    screens.add(router, "/queues", Section.QUEUES, new QueuesScreen());
    screens.add(router, "/queue", Section.QUEUES, new QueueScreen());
    screens.add(router, "/task", Section.QUEUES, new TaskScreen());
    screens.add(router, "/dead", Section.DEAD, new DeadScreen());
    screens.add(router, "/workers", Section.WORKERS, new WorkersScreen());
    screens.add(router, "/cluster", Section.CLUSTER, new ClusterScreen());
    screens.add(router, "/time", Section.TIME, new TimeScreen());
    JobScreen jobScreen = new JobScreen(screens.jobs);
    screens.addNow(router, "/job", jobScreen);
    screens.addNow(router, "/jobs", jobScreen);
    screens.add(router, "/policies", Section.QUEUES, new PoliciesScreen());
    screens.add(router, "/policy", Section.QUEUES, new PolicyScreen());
    for (Action action : Actions.all(screens.jobs)) {
      String path = "/do/" + action.path();
      router.page(
          path,
          action.role(),
          request ->
              screens.showNow(
                  request, Section.NONE, action::ask, ACTION_PATIENCE, action.asksSlowly()));
      router.action(path, action.role(), request -> screens.run(request, action));
    }
    return screens;
  }

  /** Adds a page that has no past. */
  private void addNow(Router router, String path, Screen screen) {
    router.page(
        path, request -> showNow(request, Section.NONE, screen, ServiceCalls.PATIENCE, false));
  }

  private void add(Router router, String path, Section section, Screen screen) {
    router.page(path, request -> show(request, section, screen));
  }

  private CompletionStage<PageResponse> show(PageRequest request, Section section, Screen screen) {
    Parameters parameters = request.parameters();
    Optional<String> moved = TimeSlider.moved(request.path(), parameters);
    if (moved.isPresent()) {
      return CompletableFuture.completedFuture(PageResponse.seeOther(moved.get()));
    }
    if (parameters.text(TimeSlider.AT).isBlank()) {
      return showNow(request, section, screen, ServiceCalls.PATIENCE, screen.isSlow(parameters));
    }
    Visit visit = visit(request, parameters, ServiceCalls.PATIENCE);
    return pool.runPast(() -> new PastPage(visit, request.path()).show(screen))
        .thenApplyAsync(shown -> rendered(request, section, shown), parts.rendering());
  }

  private CompletionStage<PageResponse> showNow(
      PageRequest request, Section section, Screen screen, Duration patience, boolean isSlow) {
    requirePresent(request);
    Supplier<Shown> work =
        () -> {
          Visit visit = visit(request, request.parameters(), patience);
          return new Shown(200, screen.show(visit), Shown.problems(visit), Optional.empty());
        };
    return (isSlow ? pool.runSlow(work) : pool.run(work))
        .thenApplyAsync(shown -> rendered(request, section, shown), parts.rendering());
  }

  private static PageResponse rendered(PageRequest request, Section section, Shown shown) {
    Page page = shown.past().map(shown.page()::asOf).orElse(shown.page());
    Frame now = request.frame(page.title(), section).with(shown.problems(), page.self());
    Frame frame = shown.past().map(now::asOf).orElse(now);
    if (frame.isFragment() && page.self().isEmpty()) {
      // The page does not change any more; whole, it does not load itself again.
      return PageResponse.text(200, "").with("hx-refresh", "true");
    }
    return PageResponse.html(
        shown.status(), out -> JtepageGenerated.render(out, null, frame, page));
  }

  private static void requirePresent(PageRequest request) {
    boolean isPast =
        !request.parameters().text(TimeSlider.AT).isBlank()
            || !request.form().text(TimeSlider.AT).isBlank();
    if (isPast) {
      throw PageException.invalid("The past cannot be changed: go back to now first.");
    }
  }

  private CompletionStage<PageResponse> run(PageRequest request, Action action) {
    requirePresent(request);
    return pool.run(
        () -> {
          try {
            Visit visit = visit(request, request.form(), ACTION_PATIENCE);
            return PageResponse.seeOther(action.run(visit).href());
          } catch (CallFailedException e) {
            throw FailureWords.page(e.refusal());
          }
        });
  }

  private Visit visit(PageRequest request, Parameters parameters, Duration patience) {
    return new Visit(
        parts.calls(),
        parts.admin(),
        new Reads(parts.calls(), request.user(), patience),
        request.user(),
        parameters,
        request.may(Role.OPERATOR) ? ValueMask.NONE : parts.mask());
  }

  @Override
  public void close() {
    jobs.close();
    pool.close();
  }
}
