package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;

/** Says that everything belongs to the user of this process, whoever that is. */
final class OwnerView implements FileOwnerAttributeView {
  private static final UserPrincipal OWNER = new Owner(System.getProperty("user.name", ""));

  private final NodeView.Look look;

  private record Owner(String getName) implements UserPrincipal {}

  OwnerView(NodeView.Look look) {
    this.look = look;
  }

  @Override
  public String name() {
    return "owner";
  }

  @Override
  public UserPrincipal getOwner() throws IOException {
    look.at();
    return OWNER;
  }

  @Override
  public void setOwner(UserPrincipal owner) {
    throw new UnsupportedOperationException();
  }
}
