package io.entroq.console.action;

import io.entroq.console.read.Reads;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.web.PageUrls;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for a snapshot. */
final class SnapshotAction implements Action {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotAction.class);

  @Override
  public String path() {
    return "snapshot";
  }

  @Override
  public Role role() {
    return Role.ADMIN;
  }

  @Override
  public Page ask(Visit visit) {
    return new Page(
        "Take a snapshot",
        "",
        "",
        List.of(
            form(
                "All members write their state to disk at the same position of the log. A restart"
                    + " then replays less. Commands go on.",
                List.of(),
                "Take a snapshot",
                new Link("Do nothing", PageUrls.to("/cluster")))));
  }

  @Override
  public ActionOutcome run(Visit visit) {
    Reads.answer(visit.admin().takeSnapshot(visit.user()));
    // Nothing in the log of commands says who asked for it.
    LOG.info("{} has asked for a snapshot.", visit.claimant());
    return new ActionOutcome(PageUrls.to("/cluster", ActionOutcome.DID, path()));
  }
}
