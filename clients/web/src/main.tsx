import "./theme.css";
import "./shell/shell.css";
import { translation } from "./i18n";

document.title = translation.value("web.title");
