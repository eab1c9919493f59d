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
import io.entroq.console.web.PageRequest;
import io.entroq.console.web.PageResponse;
import io.entroq.console.web.Parameters;
import io.entroq.console.web.Router;
import java.time.Duration;
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
    screens.add(router, "/job", Section.NONE, jobScreen);
    screens.add(router, "/jobs", Section.NONE, jobScreen);
    screens.add(router, "/policies", Section.QUEUES, new PoliciesScreen());
    screens.add(router, "/policy", Section.QUEUES, new PolicyScreen());
    for (Action action : Actions.all(screens.jobs)) {
      String path = "/do/" + action.path();
      router.page(
          path,
          action.role(),
          request ->
              screens.show(
                  request, Section.NONE, action::ask, ACTION_PATIENCE, action.asksSlowly()));
      router.action(path, action.role(), request -> screens.run(request, action));
    }
    return screens;
  }

  private void add(Router router, String path, Section section, Screen screen) {
    router.page(
        path,
        request ->
            show(
                request,
                section,
                screen,
                ServiceCalls.PATIENCE,
                screen.isSlow(request.parameters())));
  }

  private CompletionStage<PageResponse> show(
      PageRequest request, Section section, Screen screen, Duration patience, boolean isSlow) {
    Supplier<Shown> work =
        () -> {
          Visit visit = visit(request, request.parameters(), patience);
          return new Shown(screen.show(visit), problems(visit));
        };
    return (isSlow ? pool.runSlow(work) : pool.run(work))
        .thenApplyAsync(shown -> rendered(request, section, shown), parts.rendering());
  }

  /** A page, and how many problems there are; negative if nobody knows. */
  private record Shown(Page page, int problems) {}

  private static int problems(Visit visit) {
    try {
      return visit.reads().overview().getProblemsCount();
    } catch (CallFailedException e) {
      return -1;
    }
  }

  private static PageResponse rendered(PageRequest request, Section section, Shown shown) {
    Page page = shown.page();
    Frame frame = request.frame(page.title(), section).with(shown.problems(), page.self());
    if (frame.isFragment() && page.self().isEmpty()) {
      // The page does not change any more; whole, it does not load itself again.
      return PageResponse.text(200, "").with("hx-refresh", "true");
    }
    return PageResponse.html(out -> JtepageGenerated.render(out, null, frame, page));
  }

  private CompletionStage<PageResponse> run(PageRequest request, Action action) {
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
