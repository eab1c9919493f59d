package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;

/** Reports the user of this process as the owner of everything. */
record OwnerView(NodeView.Look look) implements FileOwnerAttributeView {
  private static final UserPrincipal OWNER = new Owner(System.getProperty("user.name", ""));

  private record Owner(String getName) implements UserPrincipal {}

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
