package io.entroq.console.web;

import io.entroq.console.user.Role;
import java.util.Optional;

/**
 * What answers a path.
 *
 * @param isPost whether it changes something, and is a POST; otherwise a GET
 * @param least the role that it takes; empty if it is open to everybody, as what users log in with
 */
public record Route(String path, boolean isPost, Optional<Role> least, PageHandler handler) {}
